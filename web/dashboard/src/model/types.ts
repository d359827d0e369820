// What Oriel's REST doors answer, as far as the page reads it. docs/http-api.md is the reference.

export type State = "idle" | "commanded" | "processing" | "awaiting_input" | "complete";
export type Status = "idle" | "running" | "failed" | "completed";

export interface PermissionOption {
  option_id: string;
  label: string;
  kind: string;
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
  input: unknown;
  options: PermissionOption[];
  questions: Question[];
  asked_at: string;
  expires_at: string;
}

export interface ToolAtWork {
  tool_call_id: string;
  tool_name: string;
  since: string;
}

export type Usage = Record<string, unknown>;

export interface Session {
  session_id: string;
  agent: string;
  project_id: string;
  title: string;
  workspace: string;
  status: Status;
  state: State;
  is_live: boolean;
  reason: string;
  created_at: string;
  updated_at: string;
  turn_id: string;
  turns: number;
  queued: number;
  last_index: number;
  last_text: string;
  tool: ToolAtWork | null;
  permissions: Permission[];
  usage: Usage | null; // of the last turn
  total_usage: Usage | null; // of all turns
  agent_session_id: string;
  is_observed?: boolean;
  silence?: string | null;
}

export interface TurnFile {
  file_id: string;
  name: string;
  type: string;
  size: number;
}

export interface Turn {
  turn_id: string;
  agent_id?: string;
  task_id: string;
  actor: "user" | "agent";
  intent: "command" | "answer" | "question" | "progress" | "completion" | "end_of_task";
  text: string;
  timestamp: string;
  timestamp_source: string;
  source: string;
  entry_id: string;
  ordinal: number;
  cursor: string;
  files?: TurnFile[];
  data?: Record<string, unknown>;
}
