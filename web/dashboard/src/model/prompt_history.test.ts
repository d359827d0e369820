import assert from "node:assert/strict";
import { test } from "node:test";
import type { Item } from "./items";
import { historyStep, promptHistory } from "./prompt_history";

const message = (role: "user" | "agent", text: string): Item => ({ kind: "message", role, text }) as unknown as Item;

test("R_PAGE_2 the history has the session's messages first, newest first and each once", () => {
  const items = [message("user", "one"), message("agent", "no"), message("user", "two"), message("user", "one")];
  assert.deepEqual(promptHistory(items, ["two", "elsewhere"]), ["one", "two", "elsewhere"]);
  assert.deepEqual(promptHistory([], []), []);
});

test("R_PAGE_2 the arrow keys walk the history only from an empty box, or from an unchanged entry", () => {
  const history = ["new", "old"];
  assert.equal(historyStep(history, -1, 1, ""), 0);
  assert.equal(historyStep(history, 0, 1, "new"), 1);
  assert.equal(historyStep(history, 1, 1, "old"), undefined);
  assert.equal(historyStep(history, 0, -1, "new"), -1);
  assert.equal(historyStep(history, -1, 1, "a draft"), undefined);
  assert.equal(historyStep(history, 0, 1, "new, changed"), undefined);
  assert.equal(historyStep(history, -1, -1, ""), undefined);
});
