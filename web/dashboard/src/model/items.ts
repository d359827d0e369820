// The items of a conversation.
import type { Positioned } from "./position";
import type { Permission, TurnFile } from "@oriel/client";
import type { Spent } from "./usage";

interface Common extends Positioned {
  version: number; // increases with each change, for views to render again
  index: number; // of its first event; -1 without one
}

export interface MessageItem extends Common {
  kind: "message";
  role: "user" | "agent";
  text: string;
  turnId: string; // empty until its turn is known
  timestamp: string;
  endedAt: number; // when its newest text arrived
  intent: string;
  source: string;
  files: TurnFile[];
  isStreaming: boolean;
  isQueued: boolean;
}

export interface ThoughtItem extends Common {
  kind: "thought";
  text: string;
  endedAt: number;
  timestamp: string;
}

export interface ToolItem extends Common {
  kind: "tool";
  toolCallId: string;
  name: string;
  args: string; // JSON as the agent wrote it, or any text
  output: string;
  status: "running" | "ok" | "error";
  startedAt: number;
  endedAt: number; // 0 while it runs
  durationMs: number; // -1 if unknown
}

export interface AskItem extends Common {
  kind: "ask";
  permission: Permission;
  status: string; // pending, allowed, denied, answered, expired, withdrawn, dismissed
  by: string;
  answer: string;
  isElsewhere: boolean; // asked by an observed agent
  turnId: string;
  timestamp: string;
  resolvedAt: number;
}

export interface CompletionItem extends Common {
  kind: "completion";
  taskId: string;
  status: string; // completed, cancelled, error
  text: string; // the final answer, if no message has it
  detail: string;
  spent: Spent;
  durationMs: number;
  turnId: string;
  timestamp: string;
}

export interface NoticeItem extends Common {
  kind: "notice";
  tone: "quiet" | "bad";
  text: string;
  timestamp: string;
}

export type Item = MessageItem | ThoughtItem | ToolItem | AskItem | CompletionItem | NoticeItem;
