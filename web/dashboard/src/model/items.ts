// The pieces a conversation is shown as.
import type { Placed } from "./place";
import type { Permission, TurnFile } from "./types";
import type { Spent } from "./usage";

interface Common extends Placed {
  version: number; // rises with each change, so that a view knows what to draw again
  index: number; // of its first event; -1: none
}

export interface SaidItem extends Common {
  kind: "said";
  role: "user" | "agent";
  text: string;
  turnId: string; // of the turn it is; empty until that is told
  timestamp: string;
  intent: string;
  source: string;
  files: TurnFile[];
  isGrowing: boolean;
  isQueued: boolean;
}

export interface ThoughtItem extends Common {
  kind: "thought";
  text: string;
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
  endedAt: number; // 0: it runs
  durationMs: number; // -1: unknown
}

export interface AskItem extends Common {
  kind: "ask";
  permission: Permission;
  status: string; // pending, allowed, denied, answered, expired, withdrawn, dismissed
  by: string;
  answer: string;
  isElsewhere: boolean; // asked by an agent that somebody else runs
  turnId: string;
  timestamp: string;
  resolvedAt: number;
}

export interface EndItem extends Common {
  kind: "end";
  sessionTurn: string;
  status: string; // completed, cancelled, error
  text: string; // the final answer, where no message has it
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

export type Item = SaidItem | ThoughtItem | ToolItem | AskItem | EndItem | NoticeItem;
