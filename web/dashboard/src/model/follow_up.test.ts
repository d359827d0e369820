import assert from "node:assert/strict";
import { test } from "node:test";
import type { NamedEvent } from "./event_name";
import { Conversation } from "./conversation";
import { followUpPrompt } from "./follow_up";
import { recorded } from "./recorded.testing";

function promptOf(events: readonly NamedEvent[]): string {
  const conversation = new Conversation();
  conversation.addAll(events);
  return followUpPrompt("/work/shop", conversation.items);
}

test("R_PAGE_2 a follow-up says what was asked and answered, and where, without tools", () => {
  const prompt = promptOf(recorded("hosted"));
  assert.match(prompt, /directory was \/work\/shop/);
  assert.match(prompt, /User: search never\n\nAgent: I search all files for "never"\./);
  assert.doesNotMatch(prompt, /README\.md:/);
});

test("R_PAGE_2 a follow-up is short, and has the newest messages whole or with their end", () => {
  const said = recorded("hosted").find((event) => event.type === "message" && event.role === "user")!;
  const events = Array.from({ length: 100 }, (_, i) => ({ ...said, index: i, task_id: `t${i}`, text: `${"x".repeat(5000)} number ${i}` }));
  const prompt = promptOf(events);
  assert.ok(prompt.length < 14_000, `${prompt.length} characters`);
  assert.match(prompt, /without its oldest messages/);
  assert.match(prompt, /number 99/);
  assert.doesNotMatch(prompt, /number 10\b/);
});
