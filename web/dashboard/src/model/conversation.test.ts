import assert from "node:assert/strict";
import { test } from "node:test";
import type { OrielEvent } from "@oriel/client";
import { Conversation } from "./conversation";
import type { NamedEvent } from "./event_name";
import { comparePositions, moveOrdered, type Positioned } from "./position";
import { asPolled, recorded, recordedTurns, shuffled } from "./recorded.testing";

function of(events: readonly NamedEvent[]): Conversation {
  const conversation = new Conversation();
  conversation.addAll(events);
  return conversation;
}

// The visible part of the items.
function shown(conversation: Conversation): unknown[] {
  return conversation.items.map(({ version: _version, key, ...rest }) =>
    rest.kind === "message" ? { ...rest, timestamp: "", isStreaming: false, key } : { ...rest, key });
}

const messages = (conversation: Conversation): string[] =>
  conversation.items.filter((item) => item.kind === "message").map((item) => `${item.role} ${item.text.trim()}`);

test("R_PAGE_2 a conversation has every message once and in order, with tools between", () => {
  const conversation = of(recorded("hosted"));
  assert.deepEqual(messages(conversation).slice(0, 4), [
    "user search never", 'agent I search all files for "never".', "agent I found 1 line in 2 files that I read.", "user write notes.txt: hello **world**",
  ]);
  const kinds = conversation.items.map((item) => item.kind);
  assert.equal(kinds.filter((kind) => kind === "completion").length, 7);
  assert.equal(kinds.filter((kind) => kind === "ask").length, 2);
  const tool = conversation.items.find((item) => item.kind === "tool")!;
  assert.equal(tool.kind === "tool" && tool.status, "ok");
  assert.ok(tool.kind === "tool" && tool.durationMs >= 0 && tool.args.includes("never") && tool.output.includes("README.md"));
});

for (const name of ["hosted", "observed"] as const) {
  test(`R_PAGE_2 events in any order, and repeated, make the same conversation (${name})`, () => {
    const events = recorded(name);
    const expected = shown(of(events));
    for (let seed = 1; seed <= 20; ++seed) {
      assert.deepEqual(shown(of(shuffled([...events, ...events], seed))), expected, `seed ${seed}`);
    }
    const newestFirst = new Conversation();
    newestFirst.addAll(events.slice(-30));
    for (let end = events.length - 30; end > 0; end -= 25) newestFirst.addAll(events.slice(Math.max(0, end - 25), end));
    assert.deepEqual(shown(newestFirst), expected);
  });

  test(`R_PAGE_2 polled events, which have no names, make the same conversation (${name})`, () => {
    assert.deepEqual(shown(of(asPolled(recorded(name)))), shown(of(recorded(name))));
  });

  test(`R_TURN_4 the bubbles have the order of the server's turns (${name})`, () => {
    const turns = recordedTurns()[name];
    const ids = of(recorded(name)).items.flatMap((item) => ("turnId" in item && item.turnId ? [item.turnId] : []));
    const times = ids.map((id) => turns.find((turn) => turn.turn_id === id)!.timestamp);
    assert.deepEqual(times, [...times].sort());
    assert.equal(new Set(ids).size, ids.length);
    const unseen = turns.filter((turn) => !ids.includes(turn.turn_id)).map((turn) => turn.intent);
    assert.ok(unseen.every((intent) => intent === "answer"), unseen.join());
  });
}

test("R_TURN_4 a turn whose time is corrected moves to its position and shows the new time", () => {
  const events = recorded("observed");
  const conversation = new Conversation();
  const orders: string[] = [];
  for (const event of events) {
    conversation.add(event);
    orders.push(messages(conversation).join("; "));
  }
  assert.ok(orders.includes("user first; agent Second."));
  assert.equal(orders.at(-1), "user first; agent Between.; agent Second.");
  const first = conversation.items.find((item) => item.kind === "message" && item.text === "first");
  const turn = recordedTurns().observed.find(({ text }) => text === "first")!;
  assert.equal(first?.kind === "message" && first.timestamp, turn.timestamp);
});

test("R_TURN_4 a withdrawn turn disappears, and a later update restores it", () => {
  const events = recorded("observed");
  const created = events.find((event) => event.text === "Second.")!;
  const conversation = of(events.slice(0, 12));
  conversation.add({ ...created, event: "turn_updated", type: "system", index: 100, data: { ...created.data, update_type: "withdrawn" } });
  assert.deepEqual(messages(conversation), ["user first"]);
  conversation.add({ ...created, event: "turn_updated", type: "system", index: 101, data: { ...created.data, update_type: "text" } });
  assert.deepEqual(messages(conversation), ["user first", "agent Second."]);
});

test("R_TURN_4 moving a bubble changes the order of no other", () => {
  const items: (Positioned & { key: string })[] = [10, 20, 30, 40, 50].map((time) => ({ key: String(time), position: { time, ordinal: 0 } }));
  moveOrdered(items, items[4]!, { time: 25, ordinal: 0 });
  assert.deepEqual(items.map((item) => item.key), ["10", "20", "50", "30", "40"]);
  moveOrdered(items, items[2]!, { time: 45, ordinal: 0 });
  assert.deepEqual(items.map((item) => item.key), ["10", "20", "30", "40", "50"]);
  moveOrdered(items, items[1]!, { time: 5, ordinal: 0 });
  assert.deepEqual(items.map((item) => item.key), ["20", "10", "30", "40", "50"]);
  assert.ok(comparePositions({ time: 1, ordinal: 2 }, { time: 1, ordinal: 3 }) < 0);
});

test("R_TURN_4 a turn of a hosted session belongs to the message of its index, also among equal texts", () => {
  const at = (index: number) => new Date(index).toISOString();
  const event = (index: number, fields: Partial<NamedEvent>): NamedEvent => ({
    index, type: "message", text: "Again.", tool_name: "", role: "assistant", session_id: "s", task_id: "task_1", timestamp: at(index), ...fields,
  });
  const turn = (index: number, turnId: string, intent: string, messageIndex?: number): NamedEvent => event(index, {
    type: "system", event: "turn_created",
    data: { turn_id: turnId, task_id: "task_1", actor: "agent", intent, timestamp: at(index), timestamp_source: "server", cursor: "", source: "message", message_index: messageIndex },
  });
  const events = [
    event(1, { data: { message: 1 } }), event(2, { data: { message: 2 } }), event(3, { type: "completion", status: "completed" }),
    turn(4, "second", "completion", 2), turn(5, "first", "progress", 1),
  ];
  for (let seed = 1; seed <= 10; ++seed) {
    const { items } = of(shuffled(events, seed));
    assert.deepEqual(items.map((item) => [item.kind, item.index, "turnId" in item && item.turnId]),
      [["message", 1, "first"], ["message", 2, "second"], ["completion", 3, ""]], `seed ${seed}`);
  }
  const { items } = of([events[2]!, turn(4, "only", "completion")]);
  assert.deepEqual(items.map((item) => [item.kind, "turnId" in item && item.turnId]), [["completion", "only"]]);
});

test("R_TURN_4 turns from REST are shown until their events replace them", () => {
  const conversation = new Conversation();
  conversation.addTurns(recordedTurns().hosted);
  assert.ok(messages(conversation).includes("user search never"));
  conversation.addAll(recorded("hosted"));
  assert.deepEqual(shown(conversation), shown(of(recorded("hosted"))));
});

test("R_PAGE_2 streamed text shows each piece, and the full text replaces the pieces", () => {
  const conversation = new Conversation();
  const texts = new Set<string>();
  for (const event of recorded("hosted").slice(0, 15)) {
    conversation.add(event);
    const last = conversation.items.at(-1)!;
    if (last.kind === "message" && last.role === "agent") texts.add(last.text);
  }
  assert.ok(texts.has("I search "));
  assert.ok([...texts].at(-1)!.startsWith('I search all files for "never".'));
});

test("R_PAGE_2 consecutive thoughts are joined in any order of arrival", () => {
  const thought = (index: number, text: string): OrielEvent => ({
    id: "", sequence: index, event: "session_event", index, type: "delta", text, tool_name: "", role: "thought", session_id: "s",
    timestamp: new Date(index).toISOString(),
  });
  const pieces = [thought(3, "a"), thought(4, "b"), thought(5, "c"), thought(9, "d")];
  for (const order of [pieces, [...pieces].reverse(), shuffled(pieces, 3)]) {
    assert.deepEqual(of(order).items.map((item) => item.kind === "thought" && item.text), ["abc", "d"]);
  }
});
