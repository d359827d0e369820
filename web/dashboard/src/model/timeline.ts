// The timeline of a session: what happened when, in lanes for what overlaps. Its axis is linear while something happens; idle gaps
// of more than a minute are shortened.
import type { Item } from "./items";

export type SpanKind = "user" | "agent" | "tool" | "ask" | "failed";

export interface Span {
  kind: SpanKind;
  from: number; // ms since 1970
  to: number;
  lane: number;
  key: string; // of its item
  label: string;
  others: number; // items that are too close to be shown apart
}

// A part of the axis; the parts adjoin.
export interface Segment {
  from: number; // ms since 1970
  to: number;
  start: number; // 0 to 1, of the axis
  end: number;
  isBreak: boolean;
}

export interface Timeline {
  spans: Span[]; // by time
  lanes: number;
  axis: Segment[];
  isRunning: boolean; // a span ends now
}

export interface Tick {
  at: number; // 0 to 1
  time: number;
}

const kMaxIdle = 60_000; // ms
const kBreak = 0.015; // of the time in which something happens
const kAllBreaks = 0.3;
const kMaxLanes = 5; // the first has messages, the others tools and questions
const kCells = 400; // in a lane; what is shorter is shown as one
const kNearTicks = 0.11;
const kTickSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400]; // s

export function timelineOf(items: readonly Item[], now: number): Timeline {
  const spans: Span[] = [];
  let isRunning = false;
  for (const item of items) {
    const kind = kindOf(item);
    if (!kind) continue;
    const end = endOf(item);
    isRunning ||= end === Infinity;
    const from = item.kind === "tool" ? item.startedAt : item.position.time;
    spans.push({ kind, from, to: Math.max(from, end === Infinity ? now : end), lane: 0, key: item.key, label: labelOf(item), others: 0 });
  }
  spans.sort((a, b) => a.from - b.from);
  const axis = axisOf(spans);
  const lanes = assignLanes(spans);
  return { spans: mergeNear(spans, axis), lanes, axis, isRunning };
}

export function shareAt(axis: readonly Segment[], time: number): number {
  const segment = firstWhere(axis, ({ to }) => time <= to);
  return segment ? between(time, segment.from, segment.to, segment.start, segment.end) : 0;
}

export function timeAt(axis: readonly Segment[], share: number): number {
  const segment = firstWhere(axis, ({ end }) => share <= end);
  return segment ? between(share, segment.start, segment.end, segment.from, segment.to) : 0;
}

// The first segment that reaches far enough, else the last one.
function firstWhere(axis: readonly Segment[], reaches: (segment: Segment) => boolean): Segment | undefined {
  let low = 0;
  let high = axis.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (reaches(axis[middle]!)) high = middle;
    else low = middle + 1;
  }
  return axis[low];
}

// The span at a place; a lane of -1 means any. Of several the shortest, else the nearest one.
export function spanAt({ spans, axis }: Timeline, share: number, lane: number): Span | undefined {
  let best: Span | undefined;
  let rank = Infinity;
  for (const span of spans) {
    const from = shareAt(axis, span.from);
    const to = shareAt(axis, span.to);
    const distance = Math.max(0, from - share, share - to);
    const isOtherLane = lane >= 0 && lane !== span.lane;
    const next = distance * 1000 + (to - from) + (isOtherLane ? 5 : 0);
    if (next < rank) [best, rank] = [span, next];
  }
  return best;
}

// Times along the axis: its start, and about `most` round ones.
export function ticksOf(axis: readonly Segment[], most: number): Tick[] {
  const active = axis.reduce((sum, { from, to, isBreak }) => sum + (isBreak ? 0 : to - from), 0);
  const step = 1000 * (kTickSteps.find((seconds) => active / (1000 * seconds) <= most) ?? kTickSteps[kTickSteps.length - 1]!);
  const ticks: Tick[] = axis.length > 0 ? [{ at: 0, time: axis[0]!.from }] : [];
  for (const { from, to, start, end, isBreak } of axis) {
    if (isBreak) continue;
    for (const time of [from, ...roundTimes(from, to, step)]) {
      const at = between(time, from, to, start, end);
      if (at - ticks[ticks.length - 1]!.at >= kNearTicks && at <= 1 - kNearTicks) ticks.push({ at, time });
    }
  }
  return ticks;
}

function roundTimes(from: number, to: number, step: number): number[] {
  const times: number[] = [];
  for (let time = Math.ceil(from / step) * step; time <= to && times.length < 100; time += step) times.push(time);
  return times;
}

function between(value: number, from: number, to: number, start: number, end: number): number {
  if (to <= from) return start;
  return start + Math.min(1, Math.max(0, (value - from) / (to - from))) * (end - start);
}

function kindOf(item: Item): SpanKind | undefined {
  switch (item.kind) {
    case "message": return item.role;
    case "thought": return "agent";
    case "tool": return item.status === "error" ? "failed" : "tool";
    case "ask": return "ask";
    case "notice": return item.tone === "bad" ? "failed" : undefined;
    case "completion": return undefined;
  }
}

// Infinity: it goes on.
function endOf(item: Item): number {
  switch (item.kind) {
    case "tool": return item.status === "running" ? Infinity : item.endedAt;
    case "ask": return item.status === "pending" ? Infinity : item.resolvedAt;
    case "message": case "thought": return item.endedAt;
    default: return item.position.time;
  }
}

function labelOf(item: Item): string {
  switch (item.kind) {
    case "tool": return item.name;
    case "message": return item.role === "user" ? "You" : "Agent";
    case "thought": return "Thought";
    case "ask": return "Question";
    default: return "Failure";
  }
}

function axisOf(spans: readonly Span[]): Segment[] {
  const active: { from: number; to: number }[] = [];
  for (const { from, to } of spans) {
    const last = active[active.length - 1];
    if (last && from - last.to <= kMaxIdle) last.to = Math.max(last.to, to);
    else active.push({ from, to });
  }
  const length = active.reduce((sum, { from, to }) => sum + to - from, 0);
  const breaks = active.length - 1;
  const breakLength = length > 0 ? Math.min(kBreak, kAllBreaks / Math.max(1, breaks)) * length : 1;
  const total = length + breaks * breakLength || 1;
  const axis: Segment[] = [];
  let start = 0;
  const push = (from: number, to: number, size: number, isBreak: boolean): void => {
    const end = Math.min(1, start + size / total);
    axis.push({ from, to, start, end, isBreak });
    start = end;
  };
  active.forEach(({ from, to }, i) => {
    if (i > 0) push(active[i - 1]!.to, from, breakLength, true);
    push(from, to, to - from, false);
  });
  return axis;
}

// Puts each span into the first lane that is free. Returns the number of lanes.
function assignLanes(spans: readonly Span[]): number {
  const ends: number[] = [];
  for (const span of spans) {
    if (span.kind === "user" || span.kind === "agent") continue;
    const free = ends.findIndex((end) => end <= span.from);
    const lane = free >= 0 ? free : Math.min(ends.length, kMaxLanes - 2);
    ends[lane] = Math.max(ends[lane] ?? 0, span.to);
    span.lane = lane + 1;
  }
  return ends.length + 1;
}

const kRanks: Record<SpanKind, number> = { failed: 5, user: 4, ask: 3, tool: 2, agent: 1 };

// Of the spans in one cell of a lane, the one with the highest rank is shown.
function mergeNear(spans: readonly Span[], axis: readonly Segment[]): Span[] {
  const cellOf = (time: number): number => Math.floor(shareAt(axis, time) * kCells);
  const merged: Span[] = [];
  const last: ({ span: Span; from: number; to: number } | undefined)[] = []; // of each lane, with its cells
  for (const span of spans) {
    const before = last[span.lane];
    const from = cellOf(span.from);
    const to = cellOf(span.to);
    if (before?.from !== from || before.to !== to) {
      merged.push(span);
      last[span.lane] = { span, from, to };
      continue;
    }
    const { span: shown } = before;
    if (kRanks[span.kind] > kRanks[shown.kind]) Object.assign(shown, { kind: span.kind, key: span.key, label: span.label });
    shown.to = Math.max(shown.to, span.to);
    shown.others += 1;
  }
  return merged;
}
