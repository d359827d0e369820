import assert from "node:assert/strict";
import { test } from "node:test";
import { niceMax } from "./chart";

test("R_PAGE_2 the axis of a chart ends at a round number that no point exceeds", () => {
  const ends = [[[], 1], [[0, 0], 1], [[NaN, 0.3], 0.5], [[7], 10], [[10], 10], [[11, 3], 20], [[430], 500], [[1, 99_000], 100_000]] as const;
  for (const [points, end] of ends) assert.ok(Math.abs(niceMax(points) - end) < 1e-9, `${points} end at ${niceMax(points)}`);
});
