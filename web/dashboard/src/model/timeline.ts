// The timeline of a session. Long pauses are shortened.
import type { Item } from "./items";

export interface Span {
  kind: "agent" | "user" | "tool" | "failed" | "ask";
  from: number; // 0 to 1
  to: number;
  key: string; // of its item
  label: string;
}

export interface Timeline {
  spans: Span[];
  start: number; // ms since 1970
  end: number;
}

const kMaxPause = 60_000; // ms

function timesOf(item: Item, now: number): { from: number; to: number } {
  if (item.kind === "tool") return { from: item.startedAt, to: item.status === "running" ? now : Math.max(item.endedAt, item.startedAt) };
  if (item.kind === "ask") return { from: item.position.time, to: item.status === "pending" ? now : Math.max(item.resolvedAt, item.position.time) };
  return { from: item.position.time, to: item.position.time };
}

function kindOf(item: Item): Span["kind"] | undefined {
  switch (item.kind) {
    case "message": return item.role;
    case "tool": return item.status === "error" ? "failed" : "tool";
    case "ask": return "ask";
    case "notice": return item.tone === "bad" ? "failed" : undefined;
    default: return undefined;
  }
}

// The kind with the highest rank is shown in a cell.
const kRanks: Record<Span["kind"], number> = { failed: 5, user: 4, ask: 3, tool: 2, agent: 1 };

// Each cell shows one item; adjacent cells of one kind are one span.
export function timelineOf(items: readonly Item[], now: number, cells = 500): Timeline {
  const shown = items.filter((item) => kindOf(item) !== undefined);
  if (shown.length === 0) return { spans: [], start: 0, end: 0 };
  const points: { item: Item; from: number; to: number }[] = [];
  let elapsed = 0; // with shortened pauses
  let last = timesOf(shown[0]!, now).from;
  let total = 1;
  const start = last;
  for (const item of shown) {
    const { from, to } = timesOf(item, now);
    elapsed += Math.min(Math.max(0, from - last), kMaxPause);
    const length = Math.min(Math.max(0, to - from), 10 * kMaxPause);
    points.push({ item, from: elapsed, to: elapsed + length });
    total = Math.max(total, elapsed + length);
    if (to > last) {
      elapsed += length;
      last = to;
    }
  }
  const row: (Item | undefined)[] = Array.from({ length: cells });
  for (const { item, from, to } of points) {
    const end = Math.min(cells - 1, Math.floor((to / total) * cells));
    for (let i = Math.min(cells - 1, Math.floor((from / total) * cells)); i <= end; ++i) {
      const current = row[i];
      if (!current || kRanks[kindOf(item)!] > kRanks[kindOf(current)!]) row[i] = item;
    }
  }
  return { spans: spansOf(row), start, end: last };
}

function spansOf(row: readonly (Item | undefined)[]): Span[] {
  const spans: Span[] = [];
  row.forEach((item, i) => {
    if (!item) return;
    const kind = kindOf(item)!;
    const before = spans[spans.length - 1];
    if (before && before.kind === kind && kind !== "user" && Math.abs(before.to * row.length - i) < 1e-6) before.to = (i + 1) / row.length;
    else spans.push({ kind, from: i / row.length, to: (i + 1) / row.length, key: item.key, label: labelOf(item) });
  });
  return spans;
}

function labelOf(item: Item): string {
  switch (item.kind) {
    case "tool": return item.name;
    case "message": return item.role === "user" ? "You" : "Agent";
    case "ask": return "Question";
    default: return "Failure";
  }
}
