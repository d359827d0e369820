// Waiting for what takes long, with a deadline.

import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE = 30_000; // ms
const PAUSE = 10;

// Resolves with the first value of `look` that is true, and fails with what `claim` says (a text, or a function that makes one).
export async function until(look, claim, within = PATIENCE) {
  const deadline = Date.now() + within;
  while (true) {
    const value = await look();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`not within ${within} ms: ${typeof claim === 'function' ? claim() : claim}`);
    await sleep(PAUSE);
  }
}
