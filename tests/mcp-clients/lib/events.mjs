// What a session's clients were sent, beside what polling shows.

import assert from 'node:assert/strict';
import { until } from './until.mjs';

// All of a session's events after that index, page by page.
export async function heldEvents(client, sessionId, after = -1) {
  const all = [];
  while (true) {
    const page = await client.call('session_events', { session_id: sessionId, since_index: after, limit: 1000 });
    all.push(...page.events);
    if (!page.has_more) return all;
    after = page.last_index;
  }
}

// A turn's last event tells what the agent said at last, after the one that says that the session waits for the next.
export function isTurnsLast(event) {
  return event.type === 'system' && event.data?.intent === 'completion';
}

// The events once the session is at rest, which it is `turns` completions after that index.
export async function eventsAfterTurns(client, sessionId, turns, after = -1) {
  const atRest = async () => {
    const events = await heldEvents(client, sessionId, after);
    const isOver = events.filter((event) => event.type === 'completion').length === turns;
    return isOver && isTurnsLast(events.at(-1)) && events;
  };
  return until(atRest, `${turns} turns of ${sessionId} are over`);
}

// Whether it has a turn, be it that the agent has not said a word yet.
export async function isAtWork(client, sessionId) {
  const { state } = await client.call('session_get', { session_id: sessionId });
  return state === 'commanded' || state === 'processing';
}

// Each exactly once, the same JSON but for the index, which is 0 in a push and true beside it.
export async function assertWasSent(client, events) {
  const hasAll = () => client.messages.length >= events.length;
  const shown = () => `${client.sdk} has ${client.messages.length} of ${events.length} events; it says: ${client.errors.slice(-5).join('; ')}`;
  await until(hasAll, shown);
  const byIndex = client.messages.toSorted((a, b) => a._meta['oriel/index'] - b._meta['oriel/index']);
  assert.deepEqual(byIndex.map((message) => message._meta['oriel/index']), events.map((event) => event.index));
  for (const [place, event] of events.entries()) {
    assert.equal(JSON.stringify(byIndex[place].data), JSON.stringify({ ...event, index: 0 }));
    assert.equal(byIndex[place].logger, 'oriel');
  }
}

export function assertInOrder(client) {
  const indices = client.indices();
  assert.deepEqual(indices, indices.toSorted((a, b) => a - b));
}
