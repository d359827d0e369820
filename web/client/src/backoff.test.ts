import assert from "node:assert/strict";
import { test } from "node:test";
import { bearable, delay, retryAfter } from "./backoff";

const longest = (attempt: number, least = 0) => delay(attempt, least, 1000, 30_000, 1);
const shortest = (attempt: number, least = 0) => delay(attempt, least, 1000, 30_000, 0);

test("R-PAGE-1: the longest wait doubles from 1 s to 30 s, and the jitter is full", () => {
  assert.deepEqual([1, 2, 3, 4, 5, 6, 7, 5000].map((attempt) => longest(attempt)), [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  assert.deepEqual([1, 2, 9].map((attempt) => shortest(attempt)), [0, 0, 0]);
  assert.equal(delay(3, 0, 1000, 30_000, 0.25), 1000);
});

test("R-PAGE-1: what the server asks for is the least, and those sent away together come back apart", () => {
  assert.deepEqual([shortest(1, 2000), longest(1, 2000)], [2000, 3000]);
  assert.deepEqual([shortest(5, 2000), longest(5, 2000)], [2000, 16_000]);
  assert.deepEqual([shortest(1, 60_000), longest(9, 60_000)], [60_000, 61_000]);
});

test("R-PAGE-1: Retry-After is understood in seconds and as a date", () => {
  const now = Date.parse("2026-11-15T12:00:00Z");
  assert.equal(retryAfter("5", now), 5000);
  assert.equal(retryAfter("Sun, 15 Nov 2026 12:00:07 GMT", now), 7000);
  assert.equal(retryAfter("Sun, 15 Nov 2026 11:00:00 GMT", now), 0);
  assert.equal(retryAfter("soon", now), undefined);
  assert.equal(retryAfter(null, now), undefined);
});

test("no server makes us wait for more than an hour, which also keeps timers from overflowing", () => {
  assert.equal(retryAfter("99999999999999", 0), 3_600_000);
  assert.deepEqual([bearable(-5), bearable("x"), bearable(Infinity), bearable(7)], [0, 0, 3_600_000, 7]);
});
