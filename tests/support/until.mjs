// Polling with a deadline.

import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT = 30_000; // ms
const INTERVAL = 20; // ms

// Resolves with the first truthy value of `check`. After `timeout` it fails with `what`, a text or a function that returns one.
export async function until(check, what, timeout = TIMEOUT) {
  const deadline = Date.now() + timeout;
  while (true) {
    const value = await check();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`not within ${timeout} ms: ${typeof what === 'function' ? what() : what}`);
    await sleep(INTERVAL);
  }
}
