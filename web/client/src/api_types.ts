// What the server answers; docs/http-api.md and docs/turns.md explain the keys.

import type { OrielEvent } from "./types";

export interface Agent {
  name: string;
  adapter: string;
  command: string[];
  sandbox: string;
  permissions: string;
  available: boolean;
  /** Empty when it is available. */
  problem: string;
}

export interface Permission {
  permission_id: string;
  tool_call_id: string;
  title: string;
  input: any;
  options: { option_id: string; label: string; kind: "allow_once" | "allow_always" | "reject_once" | "reject_always" }[];
  questions: { text: string; choices: string[]; takes_many: boolean }[];
  asked_at: string;
  expires_at: string | null;
}

export interface Session {
  session_id: string;
  agent: string;
  project_id: string;
  title: string;
  workspace: string;
  status: "idle" | "running" | "failed" | "completed";
  reason: string;
  state: "idle" | "commanded" | "processing" | "awaiting_input" | "complete";
  is_live: boolean;
  is_observed: boolean;
  is_imported: boolean;
  silence: "none" | "at_rest" | "question" | "tool" | "unknown" | "gone" | null;
  created_at: string;
  updated_at: string;
  turn_id: string;
  turns: number;
  queued: number;
  last_index: number;
  last_text: string;
  tool: { tool_call_id: string; tool_name: string; since: string } | null;
  permissions: Permission[];
  /** Of the last turn. */
  usage: Record<string, unknown> | null;
  /** Of all its turns. */
  total_usage: Record<string, unknown> | null;
  agent_session_id: string;
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
  files: { file_id: string; name: string; type: string; size: number }[];
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

export interface Health {
  status: string;
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
}

export type Answer = { decision: "allow" | "deny" } | { option_id: string } | { answers: string[] };

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
