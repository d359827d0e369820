import assert from "node:assert/strict";
import { test } from "node:test";
import { Conversation } from "./conversation";
import type { AskItem, Item, MessageItem, ToolItem } from "./items";
import { recorded } from "./recorded.testing";
import { shareAt, spanAt, ticksOf, timeAt, timelineOf } from "./timeline";

const kStart = Date.parse("2026-11-16T11:00:00Z");
const at = (seconds: number): number => kStart + seconds * 1000;

let made = 0;
const common = (from: number) => ({ key: `i${made++}`, position: { time: at(from), ordinal: made }, version: 0, index: made });
const message = (from: number, to = from): MessageItem => ({
  ...common(from), kind: "message", role: "agent", text: "", turnId: "", timestamp: "", endedAt: at(to), intent: "", source: "", files: [], isStreaming: false, isQueued: false,
});
const tool = (from: number, to: number, name = "read"): ToolItem => ({
  ...common(from), kind: "tool", toolCallId: "", name, args: "", output: "", status: to < from ? "running" : "ok", startedAt: at(from), endedAt: at(to), durationMs: -1,
});
const ask = (from: number, to: number): AskItem => ({
  ...common(from), kind: "ask", status: "allowed", by: "", answer: "", isElsewhere: false, turnId: "", timestamp: "", resolvedAt: at(to),
  permission: { permission_id: "", tool_call_id: "", title: "", input: null, options: [], questions: [], asked_at: "", expires_at: "" },
});
const lengthOf = (items: Item[], name: string): number => {
  const { spans, axis } = timelineOf(items, at(0));
  const span = spans.find(({ label }) => label === name)!;
  return shareAt(axis, span.to) - shareAt(axis, span.from);
};

test("R_PAGE_2 the timeline covers the session from start to end", () => {
  const conversation = new Conversation();
  conversation.addAll(recorded("hosted"));
  const { spans, axis } = timelineOf(conversation.items, 0);
  assert.ok(spans.length > 5);
  for (const span of spans) assert.ok(shareAt(axis, span.from) >= 0 && shareAt(axis, span.to) <= 1 && span.from <= span.to);
  for (const kind of ["user", "agent", "tool", "ask", "failed"]) assert.ok(spans.some((span) => span.kind === kind), kind);
  assert.deepEqual(timelineOf([], 0).spans, []);
});

test("R_TRUTH_4 a short tool beside a long question is short, in a lane of its own", () => {
  const items = [ask(0, 40), tool(1, 1.401)];
  assert.ok(Math.abs(lengthOf(items, "read") - 0.401 / 40) < 1e-6);
  const { spans, lanes } = timelineOf(items, at(40));
  assert.deepEqual(spans.map(({ lane }) => lane), [1, 2]);
  assert.equal(lanes, 3);
  assert.equal(timelineOf([tool(0, 1), tool(1, 2)], at(2)).lanes, 2); // one after the other share a lane
});

test("R_TRUTH_4 the time axis is linear while something happens, and shortens idle gaps of more than a minute", () => {
  const items = [tool(0, 10), message(50, 60), tool(3660, 3670), tool(3680, 3690, "late")];
  const { axis } = timelineOf(items, at(3690));
  assert.deepEqual(axis.map(({ from, to, isBreak }) => [from - kStart, to - kStart, isBreak]), [[0, 60_000, false], [60_000, 3_660_000, true], [3_660_000, 3_690_000, false]]);
  const [first, idle, second] = axis;
  assert.ok(Math.abs((first!.end - first!.start) / (second!.end - second!.start) - 2) < 1e-6);
  assert.ok(idle!.end - idle!.start < 0.02);
  assert.equal(axis.at(-1)!.end, 1);
  for (const time of [at(5), at(60), at(3665), at(3690)]) assert.ok(Math.abs(timeAt(axis, shareAt(axis, time)) - time) < 1);
});

test("R_PAGE_2 a session that is only moments far apart has an axis, too", () => {
  const { axis } = timelineOf([message(0), message(600), message(1200)], at(1200));
  assert.deepEqual([at(0), at(600), at(1200)].map((time) => shareAt(axis, time)), [0, 0.5, 1]);
});

test("R_TRUTH_4 a running tool ends now", () => {
  const running = timelineOf([tool(0, -1)], at(30));
  assert.equal(running.spans[0]!.to, at(30));
  assert.ok(running.isRunning);
  assert.ok(!timelineOf([tool(0, 1)], at(30)).isRunning);
});

test("R_PAGE_2 the timeline of a long session has few spans, and none of a failure is hidden", () => {
  const items: Item[] = [];
  for (let i = 0; i < 20_000; ++i) items.push(tool(i, i + 0.5));
  (items[7000] as ToolItem).status = "error";
  const { spans } = timelineOf(items, at(20_000));
  assert.ok(spans.length <= 1000, `${spans.length} spans`);
  assert.equal(spans.reduce((sum, span) => sum + 1 + span.others, 0), items.length);
  assert.equal(spans.filter((span) => span.kind === "failed").length, 1);
});

test("R_PAGE_2 the shortest span at a place is found, in its lane", () => {
  const timeline = timelineOf([ask(0, 40), tool(10, 12)], at(40));
  assert.equal(spanAt(timeline, 11 / 40, -1)!.label, "read");
  assert.equal(spanAt(timeline, 11 / 40, 1)!.label, "Question");
  assert.equal(spanAt(timeline, 30 / 40, 2)!.label, "Question");
  assert.equal(spanAt(timelineOf([], 0), 0.5, 0), undefined);
});

test("R_PAGE_2 ticks are round times that do not overlap", () => {
  const { axis } = timelineOf([tool(7, 127)], at(127));
  const ticks = ticksOf(axis, 7);
  assert.equal(ticks[0]!.time, at(7));
  assert.deepEqual(ticks.slice(1).map(({ time }) => (time - kStart) / 1000), [30, 60, 90]);
  assert.deepEqual(ticksOf([], 7), []);
});
