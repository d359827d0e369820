import assert from "node:assert/strict";
import { test } from "node:test";
import { hasReached } from "./cursor";

test("cursors of one epoch compare by sequence, cursors of different epochs never", () => {
  assert.ok(hasReached("12-a", "9-a"));
  assert.ok(hasReached("12-a", "12-a"));
  assert.ok(!hasReached("9-a", "12-a"));
  assert.ok(!hasReached("12-a", "9-b"));
  assert.ok(!hasReached("12-a", "0"));
  assert.ok(!hasReached("0", "0-a"));
  assert.ok(hasReached("0", "0"));
  assert.ok(!hasReached(undefined, "0-a"));
  assert.ok(hasReached(undefined, undefined));
});
