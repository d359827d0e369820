// What a tool does, by the names and arguments of known agents: its kind, and one line that says it.
import { commandOf, summaryOf } from "./arguments";
import { diffOf, type Edit } from "./diff";
import { visibleLine } from "./visible";

export type ToolKind = "shell" | "edit" | "read" | "search" | "web" | "plan" | "agent" | "ask" | "other";

// The first that fits, by a word in the name.
const kKinds: readonly [ToolKind, RegExp][] = [
  ["ask", /(^|_)ask|question|elicit/],
  ["plan", /todo|plan|think/],
  ["web", /web|fetch|http|url|brows/],
  ["shell", /bash|shell|exec|command|terminal|^run/],
  ["edit", /edit|write|create|patch|replace|insert|delete|move|rename/],
  ["search", /search|grep|glob|find|list|^ls|count/],
  ["read", /read|cat|view|open|show/],
  ["agent", /agent|^task|delegate/],
];

const kMaxName = 100;

export function kindOfTool(name: string, args: unknown): ToolKind {
  const words = name.slice(0, kMaxName).replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();
  if (commandOf(args) !== "") return "shell";
  return kKinds.find(([, pattern]) => pattern.test(words))?.[0] ?? "other";
}

const kMaxGist = 200;

// Empty if the arguments say nothing. Paths are relative to the workspace.
export function gistOf(kind: ToolKind, args: unknown, text: string, workspace = ""): string {
  const command = kind === "shell" ? commandOf(args) : "";
  if (command) return `$ ${visibleLine(command, kMaxGist)}`;
  if (args === undefined && text.trim() === "null") return "";
  const sought = kind === "search" ? soughtOf(args) : "";
  const summary = summaryOf(args, text);
  return visibleLine(sought || (summary === text ? valuesOf(args) : "") || below(workspace, summary), kMaxGist);
}

// Of arguments without a text: "files 6, recursive true".
function valuesOf(args: unknown): string {
  if (args === null || typeof args !== "object" || Array.isArray(args)) return "";
  const scalars = Object.entries(args).filter(([, value]) => typeof value === "number" || typeof value === "boolean");
  return scalars.slice(0, 4).map(([key, value]) => `${key} ${String(value)}`).join(", ");
}

const below = (workspace: string, path: string): string => (workspace && path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path);

// What is sought; where is a detail.
function soughtOf(args: unknown): string {
  if (args === null || typeof args !== "object") return "";
  const { pattern, query, regex, word } = args as Record<string, unknown>;
  return [pattern, query, regex, word].find((value): value is string => typeof value === "string" && value !== "") ?? "";
}

export interface Change {
  added: number; // lines
  removed: number;
}

export function changeOf(edits: readonly Edit[]): Change {
  const change = { added: 0, removed: 0 };
  for (const { before, after } of edits) {
    for (const { kind } of diffOf(before, after)) {
      if (kind === "added") change.added += 1;
      else if (kind === "removed") change.removed += 1;
    }
  }
  return change;
}
