import assert from "node:assert/strict";
import { test } from "node:test";
import { activeAt, activityOf, needsOf } from "./attention";
import type { NamedEvent } from "./event_name";
import { foldOutcome, isOutcomeUnknown, reasonOf, withOutcome, wordsOf, type Outcome } from "./outcome";
import { recorded } from "./recorded.testing";
import { emptySession, foldSession } from "./session_fold";

const event = (type: string, fields: Partial<NamedEvent> = {}): NamedEvent => ({ ...recorded("hosted")[0]!, event: undefined, type, text: "", data: undefined, ...fields });
const running = event("status", { text: "running" });
const idle = event("status", { text: "idle" });
const error = event("error", { text: "no credit left" });
const ended = (status: string, data?: object): NamedEvent => event("completion", { status, data });
const withdrawn = (by: string): NamedEvent => event("permission", { status: "withdrawn", data: { title: "Run it", by } });
const transition = (trigger: string): NamedEvent => event("system", { data: { to_state: "idle", trigger } });
const outcomeOf = (...events: NamedEvent[]): Outcome | undefined => events.reduce<Outcome | undefined>((before, next) => foldOutcome(before, next), undefined);

test("R_TRUTH_2 the outcome of a task is that of its completion, with the reason", () => {
  assert.deepEqual(outcomeOf(running, ended("completed"), idle), { kind: "completed" });
  assert.deepEqual(outcomeOf(running, error, ended("error"), idle), { kind: "failed", reason: "no credit left" });
  assert.deepEqual(outcomeOf(running, error, ended("error", { detail: "the model failed" }), idle), { kind: "failed", reason: "the model failed" });
  assert.deepEqual(outcomeOf(running, ended("cancelled", { by: "local" }), idle), { kind: "interrupted", reason: "Interrupted by local" });
  assert.deepEqual(outcomeOf(running, error, ended("completed"), idle), { kind: "completed" });
  assert.equal(outcomeOf(running, error, ended("error"), idle, running), undefined);
});

test("R_TRUTH_2 a task that a restart ended is interrupted, and its open question is lost", () => {
  assert.deepEqual(outcomeOf(running, error, ended("error"), idle, transition("restart")), { kind: "interrupted", reason: "no credit left" });
  assert.deepEqual(outcomeOf(running, withdrawn("restart"), error, ended("error"), idle, transition("restart")), { kind: "lost_question", reason: "Run it" });
  assert.deepEqual(outcomeOf(running, withdrawn("agent"), ended("completed"), idle), { kind: "completed" });
  assert.deepEqual(outcomeOf(transition("interrupt")), { kind: "interrupted", reason: "Interrupted in its terminal" });
});

test("R_TRUTH_2 a session shows how its last task ended, never idle", () => {
  const [created] = recorded("hosted");
  const stateAfter = (...events: NamedEvent[]) => [created!, ...events].map((one, index) => ({ ...one, index })).reduce(foldSession, emptySession(created!.session_id));
  const failed = stateAfter(running, error, ended("error"), idle);
  assert.equal(activityOf(failed), "failed");
  assert.equal(reasonOf(failed), "no credit left");
  assert.deepEqual(needsOf([failed]).map(({ kind }) => kind), ["failed"]);
  assert.equal(activityOf(stateAfter(running, ended("cancelled"), idle)), "interrupted");
  const lost = stateAfter(running, withdrawn("restart"), error, ended("error"), idle);
  assert.equal(activityOf(lost), "needs_you");
  assert.deepEqual(needsOf([lost]).map(({ kind }) => kind), ["lost"]);
  assert.equal(activityOf(stateAfter(running, ended("completed"), idle)), "idle");
  assert.equal(activityOf(stateAfter(running, error, ended("error"), idle, running)), "working");
  assert.equal(activityOf({ ...failed, outcome: undefined, state: "processing", silence: "gone" }), "interrupted");
});

test("R_TRUTH_2 a snapshot keeps the known outcome of its task, and only of that one", () => {
  const known = { ...emptySession("s"), task_id: "t1", outcome: { kind: "completed" as const } };
  assert.deepEqual(withOutcome({ ...emptySession("s"), task_id: "t1" }, known).outcome, { kind: "completed" });
  assert.equal(withOutcome({ ...emptySession("s"), task_id: "t2" }, known).outcome, undefined);
  assert.ok(isOutcomeUnknown({ ...emptySession("s"), task_id: "t2" }));
  for (const fields of [{ task_id: "" }, { is_observed: true }, { status: "running" as const }, { queued: 1 }, { outcome: { kind: "completed" as const } }]) {
    assert.ok(!isOutcomeUnknown({ ...emptySession("s"), task_id: "t2", ...fields }), JSON.stringify(fields));
  }
});

test("R_PAGE_2 the words on a card are the beginning of the last message, and its age is that of the work", () => {
  const [created] = recorded("hosted");
  const text = `The answer is this. ${"And so on. ".repeat(100)}`;
  const said = [created!, event("message", { role: "assistant", text })].map((one, index) => ({ ...one, index })).reduce(foldSession, emptySession(created!.session_id));
  assert.ok(wordsOf(said).startsWith("The answer is this."));
  const snapshot = { ...emptySession("s"), last_text: said.last_text };
  assert.ok(wordsOf(withOutcome(snapshot, said)).startsWith("The answer is this."));
  assert.equal(wordsOf(withOutcome({ ...snapshot, last_text: "Something else." }, said)), "Something else.");
  const stopped = { ...emptySession("s"), state_since: "2026-11-16T11:00:00Z", updated_at: "2026-11-16T11:31:00Z" }; // its agent was stopped
  assert.equal(activeAt(stopped), Date.parse("2026-11-16T11:00:00Z"));
  assert.equal(activeAt({ ...stopped, state_since: null }), Date.parse("2026-11-16T11:31:00Z"));
});
