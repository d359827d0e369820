import assert from "node:assert/strict";
import { test } from "node:test";
import { clampDelay, delay, retryAfter } from "./backoff";

const longest = (attempt: number, floor = 0) => delay(attempt, floor, 1000, 30_000, 1);
const shortest = (attempt: number, floor = 0) => delay(attempt, floor, 1000, 30_000, 0);

test("R-PAGE-1: the longest delay doubles from 1 s to 30 s with full jitter", () => {
  assert.deepEqual([1, 2, 3, 4, 5, 6, 7, 5000].map((attempt) => longest(attempt)), [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  assert.deepEqual([1, 2, 9].map((attempt) => shortest(attempt)), [0, 0, 0]);
  assert.equal(delay(3, 0, 1000, 30_000, 0.25), 1000);
});

test("R-PAGE-1: the delay that the server requests is a minimum, with jitter above it", () => {
  assert.deepEqual([shortest(1, 2000), longest(1, 2000)], [2000, 3000]);
  assert.deepEqual([shortest(5, 2000), longest(5, 2000)], [2000, 16_000]);
  assert.deepEqual([shortest(1, 60_000), longest(9, 60_000)], [60_000, 61_000]);
});

test("R-PAGE-1: Retry-After is read as seconds or as a date", () => {
  const now = Date.parse("2026-11-15T12:00:00Z");
  assert.equal(retryAfter("5", now), 5000);
  assert.equal(retryAfter("Sun, 15 Nov 2026 12:00:07 GMT", now), 7000);
  assert.equal(retryAfter("Sun, 15 Nov 2026 11:00:00 GMT", now), 0);
  assert.equal(retryAfter("soon", now), undefined);
  assert.equal(retryAfter(null, now), undefined);
});

test("a requested delay is at most an hour, which keeps timers from overflowing", () => {
  assert.equal(retryAfter("99999999999999", 0), 3_600_000);
  assert.deepEqual([clampDelay(-5), clampDelay("x"), clampDelay(Infinity), clampDelay(7)], [0, 0, 3_600_000, 7]);
});
