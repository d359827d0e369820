// The requests of docs/http-api.md. Each resolves with the body or throws an OrielError.

import { headersOf, urlOf, type Query } from "./address";
import type {
  Agent, Answer, Changes, ChangesDiff, Client, Cluster, EventsQuery, Health, ImportOptions, ImportPreview, ImportProgress, Me, NewEvent, NewTurn, Project,
  SearchQuery, SearchResults, Session, SessionEvents, SessionsQuery, StartBody, Task, Turn, TurnFile, TurnsQuery,
} from "./api_types";
import { OrielError } from "./error";
import { readError } from "./read_error";
import type { Address } from "./types";

export interface ApiOptions extends Address {
  fetch?: typeof fetch;
  /** Milliseconds for a complete response, in addition to the `wait_ms` of events(); default 30 000. */
  timeout?: number;
}

interface ApiRequest {
  method?: string;
  body?: object;
  query?: Query;
  extraTime?: number; // ms, in addition to the timeout
}

const UPLOAD_TIME = 90_000; // ms

const pathOf = (id: string, rest = "") => `api/sessions/${encodeURIComponent(id)}${rest}`;
const filePathOf = (id: string, fileId: string) => pathOf(id, `/files/${encodeURIComponent(fileId)}`);
const isJson = (response: Response) => !!response.headers.get("Content-Type")?.includes("json");

export class OrielApi {
  #options: ApiOptions;

  constructor(options: ApiOptions = {}) {
    this.#options = options;
  }

  agents(): Promise<{ agents: Agent[]; default: string }> {
    return this.#get("api/agents");
  }

  sessions(query: SessionsQuery = {}): Promise<{ sessions: Session[]; count: number }> {
    return this.#get("api/sessions", { ...query });
  }

  session(id: string): Promise<Session> {
    return this.#get(pathOf(id));
  }

  search(query: SearchQuery): Promise<SearchResults> {
    return this.#get("api/search", { ...query });
  }

  /** A `request_id` makes the call safe to repeat. */
  start(body: StartBody = {}): Promise<{ session: Session; task_id: string; last_index: number }> {
    return this.#post("api/sessions", body);
  }

  /** Renames or organizes the session; what is left out stays. An empty title is the session's own again. */
  updateSession(id: string, change: { title?: string; is_pinned?: boolean; is_archived?: boolean; labels?: string[] }): Promise<Session> {
    return this.#send(pathOf(id), { method: "PATCH", body: change });
  }

  message(
    id: string,
    text: string,
    requestId?: string,
  ): Promise<{ session_id: string; task_id: string; last_index: number; queued: number }> {
    return this.#post(pathOf(id, "/messages"), { message: text, request_id: requestId });
  }

  /** Who this client is for the server, and what it may do. */
  me(): Promise<Me> {
    return this.#get("api/me");
  }

  cancel(id: string): Promise<{ session_id: string; task_id: string }> {
    return this.#post(pathOf(id, "/cancel"));
  }

  end(id: string): Promise<Session> {
    return this.#post(pathOf(id, "/end"));
  }

  answer(
    id: string,
    permissionId: string,
    answer: Answer,
  ): Promise<{ session_id: string; permission_id: string; status: string }> {
    return this.#post(pathOf(id, `/permissions/${encodeURIComponent(permissionId)}`), answer);
  }

  events(id: string, query: EventsQuery = {}): Promise<SessionEvents> {
    return this.#get(pathOf(id, "/events"), { ...query }, query.wait_ms);
  }

  turns(
    id: string,
    query: TurnsQuery = {},
  ): Promise<{ turns: Turn[]; count: number; has_earlier: boolean; has_later: boolean }> {
    return this.#get(pathOf(id, "/turns"), { ...query });
  }

  tasks(id: string, query: { limit?: number } = {}): Promise<{ tasks: Task[]; count: number }> {
    return this.#get(pathOf(id, "/tasks"), { ...query });
  }

  /** What the session has changed in its workspace. */
  changes(id: string): Promise<Changes> {
    return this.#get(pathOf(id, "/changes"));
  }

  /** The patch of one file, or of all; `snapshot` of changes() names the state. */
  changesDiff(id: string, query: { path?: string; snapshot?: string } = {}): Promise<ChangesDiff> {
    return this.#get(pathOf(id, "/changes/diff"), { ...query });
  }

  /** Sends a turn that is not typed: JSON, or a form with files. */
  addTurn(
    turn: NewTurn | FormData,
  ): Promise<{ session_id: string; turn_id: string; task_id: string; last_index: number; queued: number; files: TurnFile[] }> {
    return this.#post("api/turns", turn, UPLOAD_TIME);
  }

  /** A file that was sent with a turn. */
  file(id: string, fileId: string): Promise<Blob> {
    return this.#fetch(filePathOf(id, fileId), { extraTime: UPLOAD_TIME }, (response) => response.blob());
  }

  /** The URL of such a file, for a browser that has access by itself: the operator's, or one that is logged in. */
  fileUrl(id: string, fileId: string): string {
    return urlOf(this.#options, filePathOf(id, fileId));
  }

  /** Files and directories of the session's workspace whose path fits what is typed, best first. */
  paths(id: string, query: { match?: string; limit?: number } = {}): Promise<{ paths: string[]; is_complete: boolean }> {
    return this.#get(pathOf(id, "/paths"), { ...query });
  }

  /** Directories to start an agent in; `match` is the beginning of a path, which may begin with "~". */
  directories(query: { match?: string; limit?: number } = {}): Promise<{ directories: string[]; match: string; is_complete: boolean }> {
    return this.#get("api/directories", { ...query });
  }

  projects(): Promise<{ projects: Project[] }> {
    return this.#get("api/projects");
  }

  clients(): Promise<{ count: number; limit: number; clients: Client[] }> {
    return this.#get("api/clients");
  }

  cluster(): Promise<Cluster | { enabled: false }> {
    return this.#get("api/cluster");
  }

  health(): Promise<Health> {
    return this.#get("health");
  }

  /** Prometheus text. */
  metrics(): Promise<string> {
    return this.#get("metrics");
  }

  publish(event: NewEvent): Promise<{ id: string; sequence: number; index: number }> {
    return this.#post("api/events", event);
  }

  importProgress(): Promise<ImportProgress> {
    return this.#get("api/import");
  }

  startImport(options: ImportOptions = {}): Promise<ImportProgress> {
    return this.#post("api/import", options);
  }

  /** What an import would read. */
  previewImport(options: ImportOptions = {}): Promise<ImportPreview> {
    return this.#post("api/import", { ...options, dry_run: true });
  }

  cancelImport(): Promise<ImportProgress> {
    return this.#send("api/import", { method: "DELETE" });
  }

  #get<T>(path: string, query?: Query, extraTime?: number): Promise<T> {
    return this.#send(path, { query, extraTime });
  }

  #post<T>(path: string, body: object = {}, extraTime?: number): Promise<T> {
    return this.#send(path, { method: "POST", body, extraTime });
  }

  #send<T>(path: string, request: ApiRequest): Promise<T> {
    return this.#fetch(path, request, (response) => (isJson(response) ? response.json() : response.text()));
  }

  async #fetch<T>(path: string, request: ApiRequest, read: (response: Response) => Promise<any>): Promise<T> {
    const { timeout = 30_000, fetch: send = fetch } = this.#options;
    const { method, body, query, extraTime = 0 } = request;
    const isForm = body instanceof FormData;
    const headers = headersOf(this.#options);
    if (body && !isForm) headers.set("Content-Type", "application/json");
    const limit = timeout + extraTime;
    try {
      const response = await send(urlOf(this.#options, path, query), {
        method, headers, body: isForm ? body : body && JSON.stringify(body), signal: AbortSignal.timeout(limit), cache: "no-store",
      });
      if (!response.ok) throw await readError(response, Date.now());
      return await read(response);
    } catch (error) {
      if (error instanceof OrielError) throw error;
      const isLate = (error as Error).name === "TimeoutError";
      const code = isLate ? "timeout" : "network";
      const message = isLate ? `no response within ${limit / 1000} s` : `no response: ${(error as Error).message}`;
      throw new OrielError({ status: 0, code, message, hint: "check that Oriel is running and reachable" }, error);
    }
  }
}
