// Bodies of requests and responses; docs/http-api.md and docs/turns.md explain the keys.

import type { OrielEvent } from "./types";

export interface Agent {
  name: string;
  adapter: string;
  command: string[];
  sandbox: string;
  permissions: string;
  available: boolean;
  /** Empty when available. */
  problem: string;
}

export interface PermissionOption {
  option_id: string;
  label: string;
  kind: "allow_once" | "allow_always" | "reject_once" | "reject_always";
  scope?: string; // what an option that lasts allows, a line for each rule
}

export interface Question {
  text: string;
  choices: string[];
  takes_many: boolean;
}

export interface Permission {
  permission_id: string;
  tool_call_id: string;
  title: string;
  input: any;
  details?: any; // what else the agent sent about it
  options: PermissionOption[];
  questions: Question[];
  asked_at: string;
  expires_at: string | null;
}

export type SessionStatus = "idle" | "running" | "failed" | "completed";
export type SessionState = "idle" | "commanded" | "processing" | "awaiting_input" | "complete";
export type Silence = "none" | "idle" | "question" | "tool" | "unknown" | "gone";
export type Usage = Record<string, unknown>;

export interface Session {
  session_id: string;
  agent: string;
  project_id: string;
  title: string;
  is_pinned?: boolean;
  /** Hidden from lists that do not ask for it. */
  is_archived?: boolean;
  labels?: string[];
  /** The principal that started it; empty if it is observed. */
  owner: string;
  workspace: string;
  status: SessionStatus;
  reason: string;
  state: SessionState;
  /** Since when; null: unknown, as for an observed session. */
  state_since: string | null;
  is_live: boolean;
  is_observed: boolean;
  is_imported: boolean;
  silence: Silence | null;
  created_at: string;
  updated_at: string;
  /** The running task, else the last one. */
  task_id: string;
  turns: number;
  queued: number;
  last_index: number;
  last_text: string;
  tool: { tool_call_id: string; tool_name: string; since: string } | null;
  permissions: Permission[];
  /** Of the last task. */
  usage: Usage | null;
  /** Of all tasks. */
  total_usage: Usage | null;
  agent_session_id: string;
  /** In a cluster: the node that runs it, or ran it last. */
  node?: string;
}

export interface TurnFile {
  file_id: string;
  name: string;
  type: string;
  size: number;
}

export interface Turn {
  turn_id: string;
  agent_id: string;
  session_id: string;
  project_id: string;
  task_id: string;
  actor: "user" | "agent";
  intent: "command" | "answer" | "question" | "progress" | "completion" | "end_of_task";
  text: string;
  timestamp: string;
  timestamp_source: "server" | "transcript" | "user";
  source: string;
  entry_id: string;
  ordinal: number;
  cursor: string;
  files: TurnFile[];
  /** Of a hosted session: the index of the message event with this text. */
  message_index?: number;
  data?: any;
}

export interface Task {
  task_id: string;
  title: string;
  state: string;
  opened_at: string;
  updated_at: string;
  turns: number;
}

export interface FileChange {
  path: string;
  /** Of a renamed file. */
  old_path?: string;
  status: "added" | "modified" | "deleted" | "renamed";
  binary: boolean;
  added: number;
  removed: number;
}

interface ChangesOrigin {
  session_id: string;
  /** "git": the workspace was compared with the session's start; "events": the edits that the agent reported. */
  source: "git" | "events";
  /** The state that was compared; empty for "events". */
  snapshot: string;
  as_of: string;
  is_current: boolean;
  /** What is not shown; empty: nothing is missing. */
  note: string;
}

export interface Changes extends ChangesOrigin {
  workspace: string;
  count: number;
  has_more: boolean;
  added: number;
  removed: number;
  files: FileChange[];
  left_out: string[];
  left_out_count: number;
  branch: { name: string; head: string; base: string; base_head: string } | null;
  commands: { name: "commit" | "push" | "pull_request"; command: string }[];
}

export interface ChangesDiff extends ChangesOrigin {
  path: string;
  patch: string;
  is_truncated: boolean;
  is_masked: boolean;
}

export interface Project {
  project_id: string;
  name: string;
  workspace: string;
  is_configured: boolean;
  sessions: number;
  running: number;
  awaiting: number;
  updated_at: string | null;
}

export interface Client {
  client_id: string;
  address: string;
  principal: string;
  connected_at: string;
  last_write_at: string;
  filters: { types: string[]; project_id: string[]; session_id: string[] };
  queued_bytes: number;
  sent_bytes: number;
  state: "live" | "replaying";
}

export interface Cluster {
  enabled: true;
  nodes: ClusterNode[];
  log: { name: string; generation: number; place: number; known: number; chain: string; replicas: number; leader: string };
  nats: { connected: boolean; version: string };
  warnings: string[];
}

export interface ClusterNode {
  name: string;
  /** Whether it is the node that answers. */
  self: boolean;
  serving: boolean;
  draining: boolean;
  version: string;
  url: string;
  place: number;
  /** Entries of the log that it has not applied. */
  lag: number;
  sessions: number;
  max_sessions: number;
  labels: string[];
  /** Whether it has the same events as the node that answers; null: not compared. */
  chain_agreed: boolean | null;
}

export interface Me {
  name: string; // "local": the server's own user
  scopes: string[];
  projects: string[]; // that it is limited to; empty: none
}

export interface Health {
  status: string; // "ok", "degraded" (problems says why) or "stopping"
  problems: string[];
  version: string;
  uptime_s: number;
  sse: { status: string; active_connections: number; max_connections: number; running: boolean };
  journal: { epoch: string; head: number; oldest: number };
}

export interface StartBody {
  agent?: string;
  project_id?: string;
  workspace?: string;
  message?: string;
  title?: string;
  permissions?: "ask" | "allow" | "deny";
  request_id?: string;
  /** In a cluster: the node that runs it; default: as `--place` says. */
  node?: string;
  /** In a cluster: labels that its node must have, such as `gpu`. */
  node_labels?: string[];
}

export type Answer = { decision: "allow" | "deny" } | { option_id: string } | { answers: string[] };

export interface SearchQuery {
  q: string;
  project_id?: string;
  agent?: string;
  session_id?: string;
  types?: string[];
  role?: "user" | "agent";
  since?: string;
  until?: string;
  limit?: number;
  cursor?: string;
}

export interface SearchResult {
  session_id: string;
  title: string;
  agent: string;
  project_id?: string;
  type: "message" | "tool_call" | "tool_result" | "error" | "title";
  role?: "user" | "agent";
  index?: number;
  sequence?: number;
  task_id?: string;
  turn_id?: string;
  tool_name?: string;
  tool_call_id?: string;
  timestamp: string;
  snippet: string;
  /** The words that were found, in code points of `snippet`: begin and end. */
  ranges: [number, number][];
  /** The fragment of the page's address that opens the session there. */
  link: string;
}

export interface SearchResults {
  results: SearchResult[];
  has_more: boolean;
  cursor: string | null;
  /** New events that are not searched yet. */
  pending_events: number;
}

export interface SessionsQuery {
  project_id?: string;
  agent?: string;
  workspace?: string;
  status?: string;
  limit?: number;
}

export interface EventsQuery {
  since_index?: number;
  limit?: number;
  types?: string[];
  wait_ms?: number;
}

export interface TurnsQuery {
  before?: string;
  after?: string;
  limit?: number;
}

/** What is not typed; files are sent as a form instead. */
export interface NewTurn {
  session_id: string;
  text: string;
  source: "voice";
  request_id?: string;
  timestamp?: string;
}

export interface NewEvent {
  type: string;
  project_id?: string | number;
  session_id?: string | number;
  text?: string;
  data?: any;
}

export type SessionEvent = Omit<OrielEvent, "id" | "sequence" | "event">;

export interface SessionEvents {
  events: SessionEvent[];
  last_index: number;
  oldest_index: number;
  has_more: boolean;
  status: string;
}

export interface ImportOptions {
  /** Directories or files; default: all transcript roots. */
  folders?: string[];
  /** Only files of the last days. */
  days?: number;
}

export interface ImportProgress {
  state: "idle" | "running" | "done" | "cancelled" | "failed";
  folders?: string[];
  files_total: number;
  files_done: number;
  bytes_total: number;
  bytes_done: number;
  sessions: number;
  turns: number;
  files_unchanged?: number;
  files_failed?: number;
  lines_skipped?: number;
  skipped?: { path: string; offset?: number; why: string }[];
  error?: string;
}

export interface ImportPreview {
  files_total: number;
  bytes_total: number;
  files_unchanged: number;
  files_old: number;
}
