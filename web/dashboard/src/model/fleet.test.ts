import assert from "node:assert/strict";
import { test } from "node:test";
import { countStandings, needsOf, standingOf } from "./attention";
import { dropForgotten, emptyFleet, foldEvents, foldSnapshot } from "./fleet";
import { recorded, snapshots } from "./recorded.testing";
import { emptySession } from "./session_fold";

const kFoldable = ["agent", "project_id", "title", "workspace", "status", "state", "is_live", "reason", "created_at", "updated_at",
  "queued", "last_index", "last_text", "tool", "permissions", "usage", "total_usage", "agent_session_id", "turns"] as const;

test("R_PAGE_2 the events of a session, folded from its first, are the server's own snapshot of it", () => {
  const fleet = emptyFleet();
  foldEvents(fleet, recorded("hosted"));
  const [id] = [...fleet.sessions.keys()];
  const folded = fleet.sessions.get(id!)!;
  const told = snapshots().find((session) => session.session_id === id)!;
  for (const key of kFoldable) assert.deepEqual(folded[key], told[key], key);
});

test("R_PAGE_2 an observed agent's events tell whose it is and how it stands", () => {
  const fleet = emptyFleet();
  foldEvents(fleet, recorded("observed"));
  const folded = fleet.sessions.get("s1")!;
  const told = snapshots().find((session) => session.session_id === "s1")!;
  assert.equal(folded.is_observed, true);
  for (const key of ["agent", "workspace", "status", "state", "is_live", "last_index", "last_text", "turns"] as const) {
    assert.deepEqual(folded[key], told[key], key);
  }
});

test("R_PAGE_2 a snapshot taken anywhere in the story joins the stream without a seam", () => {
  const events = recorded("hosted");
  const whole = emptyFleet();
  foldEvents(whole, events);
  const id = events[0]!.session_id;
  for (const cut of [0, 1, 40, 100, events.length - 1]) {
    const at = emptyFleet(); // what the server would answer after `cut` events
    foldEvents(at, events.slice(0, cut + 1));
    const fleet = emptyFleet();
    const folded = foldEvents(fleet, events.slice(Math.max(1, cut - 10))); // the stream came first, from a little before
    if (cut > 1) assert.deepEqual([...folded.unknown], [id]);
    foldSnapshot(fleet, [at.sessions.get(id)!]);
    assert.deepEqual(fleet.sessions.get(id), whole.sessions.get(id), `cut after ${cut}`);
  }
});

test("R_PAGE_2 each completion adds to what the session has used, once", () => {
  const events = recorded("hosted").map((event) => (event.type === "completion" ? { ...event, usage: { input_tokens: 10, cost_usd: 0.5, context_used: event.index } } : event));
  const ends = events.filter((event) => event.type === "completion");
  const fleet = emptyFleet();
  for (const event of events) foldEvents(fleet, [event, event]);
  const folded = fleet.sessions.get(events[0]!.session_id)!;
  assert.deepEqual(folded.usage, ends.at(-1)!.usage);
  assert.deepEqual(folded.total_usage, { input_tokens: 10 * ends.length, cost_usd: 0.5 * ends.length, context_used: ends.at(-1)!.index });
});

test("R_PAGE_2 an old snapshot takes nothing back", () => {
  const events = recorded("hosted");
  const old = emptyFleet();
  foldEvents(old, events.slice(0, 20));
  const fleet = emptyFleet();
  foldEvents(fleet, events);
  const before = fleet.sessions.get(events[0]!.session_id);
  foldSnapshot(fleet, [...old.sessions.values()]);
  assert.equal(fleet.sessions.get(events[0]!.session_id), before);
});

test("R_PAGE_2 a hole in a session's events is noticed, and closed by the next snapshot", () => {
  const events = recorded("hosted");
  const fleet = emptyFleet();
  foldEvents(fleet, events.slice(0, 20));
  const folded = foldEvents(fleet, events.slice(30));
  assert.deepEqual([...folded.unknown], [events[0]!.session_id]);
  foldSnapshot(fleet, snapshots());
  assert.equal(fleet.sessions.get(events[0]!.session_id)!.status, "failed");
  assert.equal(fleet.waiting.size, 0);
});

test("R_PAGE_2 what services publish is not taken for a session", () => {
  const fleet = emptyFleet();
  foldEvents(fleet, [{ ...recorded("hosted")[0]!, event: "deploy", type: "deploy", session_id: "shop-1" }]);
  assert.equal(fleet.sessions.size, 0);
});

test("R_PAGE_2 forgotten sessions go, those that have just begun stay", () => {
  const fleet = emptyFleet();
  foldSnapshot(fleet, [{ ...emptySession("a") }, { ...emptySession("b") }, { ...emptySession("new") }]);
  assert.deepEqual(dropForgotten(fleet, [emptySession("a")], new Set(["new"])), ["b"]);
});

test("R_PAGE_2 what waits for a person is listed oldest first until it is resolved", () => {
  const fleet = emptyFleet();
  const events = recorded("hosted");
  const seen: number[] = [];
  for (const event of events) {
    foldEvents(fleet, [event]);
    const needs = needsOf(fleet.sessions.values()).filter((need) => need.kind === "permission");
    seen.push(needs.length);
    if (needs.length > 0) assert.equal(standingOf(fleet.sessions.get(event.session_id)!), "needs_you");
  }
  assert.ok(seen.includes(1));
  assert.deepEqual(needsOf(fleet.sessions.values()).map((need) => need.kind), ["failed"]);
  const ask = (id: string, at: string) => ({
    ...emptySession(id), is_live: true, status: "running" as const,
    permissions: [{ permission_id: `p-${id}`, tool_call_id: "", title: "", input: null, options: [], questions: [], asked_at: at, expires_at: "" }],
  });
  const needs = needsOf([ask("late", "2026-01-01T00:00:02Z"), ask("early", "2026-01-01T00:00:01Z")]);
  assert.deepEqual(needs.map((need) => need.session.session_id), ["early", "late"]);
});

test("R_PAGE_2 every session stands in exactly one place", () => {
  const counts = countStandings(snapshots());
  assert.deepEqual(counts, { needs_you: 0, failed: 1, working: 0, resting: 0, ended: 1 });
});
