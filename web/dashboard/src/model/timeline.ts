// A session's run as a strip: who worked when. Silence is folded, so that a night between two turns does not hide the work.
import type { Item } from "./items";

export interface Span {
  kind: "agent" | "user" | "tool" | "failed" | "ask";
  from: number; // 0 to 1 of the strip
  to: number;
  key: string; // of the item it stands for
  label: string;
}

export interface Timeline {
  spans: Span[];
  begun: number;
  ended: number;
}

const kLongestSilence = 60_000;

function timesOf(item: Item, now: number): { from: number; to: number } {
  if (item.kind === "tool") return { from: item.startedAt, to: item.status === "running" ? now : Math.max(item.endedAt, item.startedAt) };
  if (item.kind === "ask") return { from: item.place.time, to: item.status === "pending" ? now : Math.max(item.resolvedAt, item.place.time) };
  return { from: item.place.time, to: item.place.time };
}

function kindOf(item: Item): Span["kind"] | undefined {
  switch (item.kind) {
    case "said": return item.role;
    case "tool": return item.status === "error" ? "failed" : "tool";
    case "ask": return "ask";
    case "notice": return item.tone === "bad" ? "failed" : undefined;
    default: return undefined;
  }
}

// What is seen where several things share a place.
const kRanks: Record<Span["kind"], number> = { failed: 5, user: 4, ask: 3, tool: 2, agent: 1 };

// The strip has so many cells; a cell shows one thing, and neighbours of one kind are one span.
export function timelineOf(items: readonly Item[], now: number, cells = 500): Timeline {
  const shown = items.filter((item) => kindOf(item) !== undefined);
  if (shown.length === 0) return { spans: [], begun: 0, ended: 0 };
  const points: { item: Item; from: number; to: number }[] = [];
  let folded = 0; // time spent, without long silence
  let last = timesOf(shown[0]!, now).from;
  let whole = 1;
  const begun = last;
  for (const item of shown) {
    const { from, to } = timesOf(item, now);
    folded += Math.min(Math.max(0, from - last), kLongestSilence);
    const length = Math.min(Math.max(0, to - from), 10 * kLongestSilence);
    points.push({ item, from: folded, to: folded + length });
    whole = Math.max(whole, folded + length);
    if (to > last) {
      folded += length;
      last = to;
    }
  }
  const row: (Item | undefined)[] = Array.from({ length: cells });
  for (const { item, from, to } of points) {
    const end = Math.min(cells - 1, Math.floor((to / whole) * cells));
    for (let i = Math.min(cells - 1, Math.floor((from / whole) * cells)); i <= end; ++i) {
      const held = row[i];
      if (!held || kRanks[kindOf(item)!] > kRanks[kindOf(held)!]) row[i] = item;
    }
  }
  return { spans: spansOf(row), begun, ended: last };
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
    case "said": return item.role === "user" ? "You" : "Agent";
    case "ask": return "Question";
    default: return "Failure";
  }
}
