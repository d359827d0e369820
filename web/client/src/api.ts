// The requests of docs/http-api.md. Each answers the body, or throws an OrielError.

import { headersOf, urlOf, type Query } from "./address";
import type {
  Agent, Answer, Client, EventsQuery, Health, NewEvent, Project, Session, SessionEvents, SessionsQuery, StartBody, Task, Turn,
  TurnsQuery,
} from "./api_types";
import { OrielError } from "./error";
import { readError } from "./read_error";
import type { Address } from "./types";

export interface ApiOptions extends Address {
  fetch?: typeof fetch;
  /** ms for a whole answer, beside the `wait_ms` of events(); default 30 000 */
  timeout?: number;
}

const pathOf = (id: string, rest = "") => `api/sessions/${encodeURIComponent(id)}${rest}`;

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

  /** A `request_id` makes it safe to repeat. */
  start(body: StartBody = {}): Promise<{ session: Session; turn_id: string; last_index: number }> {
    return this.#post("api/sessions", body);
  }

  message(
    id: string,
    text: string,
    requestId?: string,
  ): Promise<{ session_id: string; turn_id: string; last_index: number; queued: number }> {
    return this.#post(pathOf(id, "/messages"), { message: text, request_id: requestId });
  }

  cancel(id: string): Promise<{ session_id: string; turn_id: string }> {
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

  projects(): Promise<{ projects: Project[] }> {
    return this.#get("api/projects");
  }

  clients(): Promise<{ count: number; limit: number; clients: Client[] }> {
    return this.#get("api/clients");
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

  #get<T>(path: string, query?: Query, wait = 0): Promise<T> {
    return this.#send(path, {}, query, wait);
  }

  #post<T>(path: string, body: object = {}): Promise<T> {
    return this.#send(path, { method: "POST", body: JSON.stringify(body) });
  }

  async #send<T>(path: string, init: RequestInit, query?: Query, wait = 0): Promise<T> {
    const { timeout = 30_000, fetch: send = fetch } = this.#options;
    const url = urlOf(this.#options, path, query);
    const headers = headersOf(this.#options);
    if (init.body) headers.set("Content-Type", "application/json");
    try {
      const signal = AbortSignal.timeout(timeout + wait);
      const response = await send(url, { ...init, headers, signal, cache: "no-store" });
      if (!response.ok) throw await readError(response, Date.now());
      const isJson = response.headers.get("Content-Type")?.includes("json");
      return await (isJson ? response.json() : response.text());
    } catch (error) {
      if (error instanceof OrielError) throw error;
      const isLate = (error as Error).name === "TimeoutError";
      const code = isLate ? "timeout" : "network";
      const message = isLate ? `no answer within ${(timeout + wait) / 1000} s` : `no answer: ${(error as Error).message}`;
      throw new OrielError({ status: 0, code, message, hint: "is Oriel running, and can it be reached?" }, error);
    }
  }
}
