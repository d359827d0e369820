import assert from "node:assert/strict";
import { test } from "node:test";
import { selectionIn } from "./selection";

test("R_PAGE_2 the selection keeps its place when entries come and go", () => {
  assert.equal(selectionIn([], ["a", "b"], ""), "a");
  assert.equal(selectionIn(["a", "b", "c"], ["z", "a", "b", "c"], "b"), "b");
  assert.equal(selectionIn(["a", "b", "c"], ["a", "c"], "b"), "c");
  assert.equal(selectionIn(["a", "b", "c", "d"], ["a", "d"], "b"), "d");
  assert.equal(selectionIn(["a", "b", "c"], ["a", "b"], "c"), "b");
  assert.equal(selectionIn(["a"], [], "a"), "");
  assert.equal(selectionIn(["a"], ["new"], "a"), "new");
});
