import assert from "node:assert/strict";
import { test } from "node:test";
import { completed, mentionAt } from "./mention";

test("R_PAGE_2 a mention begins with @ after a space, and ends at the caret", () => {
  assert.deepEqual(mentionAt("look at @src/st and", 15), { from: 8, typed: "src/st" });
  assert.deepEqual(mentionAt("@", 1), { from: 0, typed: "" });
  assert.deepEqual(mentionAt("(@a", 3), { from: 1, typed: "a" });
  for (const text of ["mail@example.com", "no mention", "@a b", `@${"x".repeat(300)}`]) assert.equal(mentionAt(text, text.length), undefined, text);
});

test("R_PAGE_2 the chosen path replaces what was typed", () => {
  const at = (text: string, path: string): string => {
    const { text: next, caret } = completed(text, mentionAt(text, text.indexOf("|") < 0 ? text.length : text.indexOf("|"))!, path);
    return `${next.slice(0, caret)}|${next.slice(caret)}`;
  };
  assert.equal(at("see @st", "src/store.ts"), "see @src/store.ts |");
  assert.equal(at("see @st", "src/store/"), "see @src/store/|");
  assert.equal(at("see @", "my notes.txt"), 'see @"my notes.txt" |');
  const { text, caret } = completed("see @st now", { from: 4, typed: "st" }, "a.ts");
  assert.deepEqual([text, caret], ["see @a.ts now", 9]);
});
