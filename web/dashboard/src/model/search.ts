// Searches as the address has them, and results as they are shown.
import type { SearchQuery, SearchResult } from "@oriel/client";

export interface SearchFilter {
  text: string;
  type: string; // of results; empty: any
  project: string;
  agent: string;
  days: number; // 0: any time
}

const kDay = 86_400_000; // ms
const kNames: Record<SearchResult["type"], string> = { message: "message", tool_call: "tool", tool_result: "result", error: "error", title: "title" };

export function readSearch(query: URLSearchParams): SearchFilter {
  const days = Number(query.get("days") ?? 0);
  return {
    text: query.get("q") ?? "", type: query.get("type") ?? "", project: query.get("project") ?? "", agent: query.get("agent") ?? "",
    days: Number.isInteger(days) && days > 0 && days < 10_000 ? days : 0,
  };
}

export function writeSearch({ text, type, project, agent, days }: SearchFilter): URLSearchParams {
  const query = new URLSearchParams();
  for (const [key, value] of [["q", text], ["type", type], ["project", project], ["agent", agent], ["days", days ? String(days) : ""]] as const) {
    if (value) query.set(key, value);
  }
  return query;
}

// Undefined if there is nothing to search for. The last word matches longer ones, too: it may not be complete.
export function queryOf(filter: SearchFilter, now: number): SearchQuery | undefined {
  if (!/[\p{L}\p{N}]/u.test(filter.text)) return undefined;
  const isIncomplete = /(?:^|\s)[^\s"*]*[\p{L}\p{N}]{2}$/u.test(filter.text) && (filter.text.match(/"/g)?.length ?? 0) % 2 === 0;
  const query: SearchQuery = { q: isIncomplete ? `${filter.text}*` : filter.text, limit: 30 };
  if (filter.type) query.types = [filter.type];
  if (filter.project) query.project_id = filter.project;
  if (filter.agent) query.agent = filter.agent;
  if (filter.days) query.since = new Date(now - filter.days * kDay).toISOString();
  return query;
}

export interface Piece {
  text: string;
  isFound: boolean;
}

// Ranges that overlap, or lie outside, are left out.
export function piecesOf({ snippet, ranges }: Pick<SearchResult, "snippet" | "ranges">): Piece[] {
  const characters = [...snippet];
  const pieces: Piece[] = [];
  let shown = 0;
  const add = (end: number, isFound: boolean): void => {
    if (end > shown) pieces.push({ text: characters.slice(shown, end).join(""), isFound });
    shown = Math.max(shown, end);
  };
  for (const [begin, end] of ranges) {
    if (begin < shown || end <= begin || end > characters.length) continue;
    add(begin, false);
    add(end, true);
  }
  add(characters.length, false);
  return pieces;
}

// Who said it, or which tool.
export function sourceOf({ type, role, tool_name: tool }: SearchResult): string {
  if (type === "message") return role === "user" ? "user" : "agent";
  if (type === "tool_call" && tool) return tool;
  if (type === "tool_result" && tool) return `${tool} result`;
  return kNames[type] ?? "";
}
