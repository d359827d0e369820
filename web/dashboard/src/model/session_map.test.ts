import assert from "node:assert/strict";
import { test } from "node:test";
import type { OrielEvent } from "@oriel/client";
import { countActivities, needsOf, activityOf } from "./attention";
import { removeDeleted, emptySessionMap, foldEvents, foldSnapshot } from "./session_map";
import { recorded, snapshots } from "./recorded.testing";
import { emptySession } from "./session_fold";

const kFoldable = ["agent", "project_id", "title", "workspace", "status", "state", "is_live", "reason", "created_at", "updated_at",
  "queued", "last_index", "last_text", "tool", "permissions", "usage", "total_usage", "agent_session_id", "turns", "task_id"] as const;

test("R_PAGE_2 all events of a session fold into the server's snapshot of it", () => {
  const map = emptySessionMap();
  foldEvents(map, recorded("hosted"));
  const [id] = [...map.sessions.keys()];
  const folded = map.sessions.get(id!)!;
  const snapshot = snapshots().find((session) => session.session_id === id)!;
  for (const key of kFoldable) assert.deepEqual(folded[key], snapshot[key], key);
});

test("R_PAGE_2 a session without a title has the beginning of its first message", () => {
  const map = emptySessionMap();
  const events = recorded("hosted").map((event) => ({ ...event, data: event.data?.title ? { ...event.data, title: "" } : event.data }));
  foldEvents(map, events);
  assert.equal([...map.sessions.values()][0]!.title, "search never");
});

test("R_PAGE_2 the events of an observed agent fold into its snapshot", () => {
  const map = emptySessionMap();
  foldEvents(map, recorded("observed"));
  const folded = map.sessions.get("s1")!;
  const snapshot = snapshots().find((session) => session.session_id === "s1")!;
  assert.equal(folded.is_observed, true);
  for (const key of ["agent", "workspace", "status", "state", "is_live", "last_index", "last_text", "turns"] as const) {
    assert.deepEqual(folded[key], snapshot[key], key);
  }
});

test("R_PAGE_2 a snapshot of any time joins the stream without a gap", () => {
  const events = recorded("hosted");
  const whole = emptySessionMap();
  foldEvents(whole, events);
  const id = events[0]!.session_id;
  for (const cut of [0, 1, 40, 100, events.length - 1]) {
    const at = emptySessionMap(); // the server's state after `cut` events
    foldEvents(at, events.slice(0, cut + 1));
    const map = emptySessionMap();
    const folded = foldEvents(map, events.slice(Math.max(1, cut - 10))); // the stream opened first, a little earlier
    if (cut > 1) assert.deepEqual([...folded.unknown], [id]);
    foldSnapshot(map, [at.sessions.get(id)!]);
    assert.deepEqual(map.sessions.get(id), whole.sessions.get(id), `cut after ${cut}`);
  }
});

test("R_PAGE_2 each completion adds to the usage of the session once", () => {
  const events = recorded("hosted").map((event) => (event.type === "completion" ? { ...event, usage: { input_tokens: 10, cost_usd: 0.5, context_used: event.index } } : event));
  const ends = events.filter((event) => event.type === "completion");
  const map = emptySessionMap();
  for (const event of events) foldEvents(map, [event, event]);
  const folded = map.sessions.get(events[0]!.session_id)!;
  assert.deepEqual(folded.usage, ends.at(-1)!.usage);
  assert.deepEqual(folded.total_usage, { input_tokens: 10 * ends.length, cost_usd: 0.5 * ends.length, context_used: ends.at(-1)!.index });
});

test("R_PAGE_2 an old snapshot overwrites nothing", () => {
  const events = recorded("hosted");
  const old = emptySessionMap();
  foldEvents(old, events.slice(0, 20));
  const map = emptySessionMap();
  foldEvents(map, events);
  const before = map.sessions.get(events[0]!.session_id);
  foldSnapshot(map, [...old.sessions.values()]);
  assert.equal(map.sessions.get(events[0]!.session_id), before);
});

test("R_PAGE_2 a gap in the events of a session is detected, and closed by the next snapshot", () => {
  const events = recorded("hosted");
  const map = emptySessionMap();
  foldEvents(map, events.slice(0, 20));
  const folded = foldEvents(map, events.slice(30));
  assert.deepEqual([...folded.unknown], [events[0]!.session_id]);
  foldSnapshot(map, snapshots());
  assert.equal(map.sessions.get(events[0]!.session_id)!.status, "failed");
  assert.equal(map.waiting.size, 0);
});

test("R_PAGE_2 an event of a service makes no session", () => {
  const map = emptySessionMap();
  foldEvents(map, [{ ...recorded("hosted")[0]!, event: "deploy", type: "deploy", session_id: "shop-1" }]);
  assert.equal(map.sessions.size, 0);
});

test("R_PAGE_2 deleted sessions are removed, new ones stay", () => {
  const map = emptySessionMap();
  foldSnapshot(map, [{ ...emptySession("a") }, { ...emptySession("b") }, { ...emptySession("new") }]);
  assert.deepEqual(removeDeleted(map, [emptySession("a")], new Set(["new"])), ["b"]);
});

test("R_PAGE_2 permission requests are listed oldest first until they are resolved", () => {
  const map = emptySessionMap();
  const events = recorded("hosted");
  const seen: number[] = [];
  for (const event of events) {
    foldEvents(map, [event]);
    const needs = needsOf(map.sessions.values()).filter((need) => need.kind === "permission");
    seen.push(needs.length);
    if (needs.length > 0) assert.equal(activityOf(map.sessions.get(event.session_id)!), "needs_you");
  }
  assert.ok(seen.includes(1));
  assert.deepEqual(needsOf(map.sessions.values()).map((need) => need.kind), ["failed"]);
  const ask = (id: string, at: string) => ({
    ...emptySession(id), is_live: true, status: "running" as const,
    permissions: [{ permission_id: `p-${id}`, tool_call_id: "", title: "", input: null, options: [], questions: [], asked_at: at, expires_at: "" }],
  });
  const needs = needsOf([ask("late", "2026-01-01T00:00:02Z"), ask("early", "2026-01-01T00:00:01Z")]);
  assert.deepEqual(needs.map((need) => need.session.session_id), ["early", "late"]);
});

test("R_PAGE_2 every session has exactly one activity", () => {
  const counts = countActivities(snapshots());
  assert.deepEqual(counts, { needs_you: 0, failed: 1, interrupted: 0, working: 0, idle: 0, ended: 1 });
});

test("foldEvents: a session that a person renames or archives changes at once, whatever its index", () => {
  const map = emptySessionMap();
  foldSnapshot(map, [{ ...emptySession("ses_1"), title: "own", last_index: 7 }]);
  const data = { session_id: "ses_1", title: "given", is_pinned: true, is_archived: false, labels: ["a"] };
  const event = { event: "session_updated", session_id: "", index: 0, text: "given", data } as unknown as OrielEvent;
  assert.deepEqual([...foldEvents(map, [event]).changed], ["ses_1"]);
  const session = map.sessions.get("ses_1")!;
  assert.deepEqual([session.title, session.is_pinned, session.labels, session.last_index], ["given", true, ["a"], 7]);
  assert.equal(foldEvents(map, [{ ...event, data: { session_id: "ses_unknown" } } as OrielEvent]).changed.size, 0);
});
