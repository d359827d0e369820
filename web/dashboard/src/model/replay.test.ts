import assert from "node:assert/strict";
import { test } from "node:test";
import { recorded } from "./recorded.testing";
import { countUpTo, elapsedAt, momentAt, playbackOf, positionAt } from "./replay";
import { emptySession, foldSession } from "./session_fold";

const kStart = Date.parse("2026-11-16T11:00:00Z");
const eventAt = (index: number, seconds: number) => ({ ...recorded("hosted")[0]!, index, timestamp: new Date(kStart + seconds * 1000).toISOString() });

test("R_PAGE_2 a replay shows more events at later positions, and all of them at its end", () => {
  const playback = playbackOf(recorded("hosted"));
  assert.equal(countUpTo(playback, -1), 0);
  assert.equal(countUpTo(playback, playback.length), playback.events.length);
  let last = 0;
  for (let position = 0; position <= playback.length; position += playback.length / 20) {
    const count = countUpTo(playback, position);
    assert.ok(count >= last);
    last = count;
  }
});

test("R_TRUTH_4 a replay shortens pauses, and its clock runs through them", () => {
  const playback = playbackOf([eventAt(0, 0), eventAt(1, 1), eventAt(2, 101)]);
  assert.equal(playback.length, 3000);
  assert.deepEqual([0, 500, 1000, 2000, 3000, 9000].map((position) => (momentAt(playback, position) - kStart) / 1000), [0, 0.5, 1, 51, 101, 101]);
  assert.deepEqual([-5, 0, 1, 51, 101, 500].map((seconds) => positionAt(playback, kStart + seconds * 1000)), [0, 0, 1000, 2000, 3000, 3000]);
  assert.deepEqual(elapsedAt(playback, kStart + 51_000), { elapsed: 51_000, total: 101_000 });
  assert.equal(momentAt(playbackOf([]), 0), 0);
});

test("R_TRUTH_4 the events up to a moment fold into the session of that moment", () => {
  const events = recorded("hosted");
  const stateAt = (count: number) => events.slice(0, count).reduce(foldSession, emptySession(events[0]!.session_id));
  const call = events.findIndex((event) => event.type === "tool_call");
  assert.equal(stateAt(call + 1).tool?.tool_name, events[call]!.tool_name);
  assert.equal(stateAt(call + 1).status, "running");
  assert.equal(stateAt(events.length).status, "failed");
});
