import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionEvent } from "@oriel/client";
import { nameOf } from "./event_name";
import { asPolled, recorded } from "./recorded.testing";

for (const name of ["hosted", "observed"] as const) {
  test(`R_SHAPE_2 a polled event has the name of the streamed one, whatever its text (${name})`, () => {
    const events = recorded(name);
    asPolled(events).forEach((polled, i) => assert.equal(nameOf({ ...polled, text: "in other words" }), events[i]!.event));
  });
}

test("R_SHAPE_2 events about a session are known by their data", () => {
  const named = (data?: SessionEvent["data"]): string =>
    nameOf({ index: 1, type: "system", text: "session ended", tool_name: "", role: "", session_id: "s1", data } as SessionEvent);
  assert.equal(named({ turns: 3, by: "ann" }), "session_ended");
  assert.equal(named({ agent_id: "s1", project_id: "p", agent: "claude", turns: 3 }), "session_imported");
  assert.equal(named({ agent_id: "s1", project_id: "p" }), "session_resumed");
  assert.equal(named({ agent_id: "s1", project_id: "p", kind: "tool", since: "2026-01-01T00:00:00.000Z" }), "agent_silence");
  assert.equal(named({ agent_session_id: "conv" }), "session_event");
  assert.equal(named(), "session_event");
});
