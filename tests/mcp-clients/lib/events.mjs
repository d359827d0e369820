// Compares the events that a client received with the events that polling returns.

import assert from 'node:assert/strict';
import { until } from '../../support/until.mjs';

// All events of a session after an index, page by page.
export async function storedEvents(client, sessionId, after = -1) {
  const all = [];
  while (true) {
    const page = await client.call('session_events', { session_id: sessionId, since_index: after, limit: 1000 });
    all.push(...page.events);
    if (!page.has_more) return all;
    after = page.last_index;
  }
}

// The last event of a task is the turn with its final text.
export function isLastOfTask(event) {
  return event.type === 'system' && event.data?.intent === 'completion';
}

// Waits until `tasks` tasks have completed after an index, and returns all events after it.
export async function eventsAfterTasks(client, sessionId, tasks, after = -1) {
  const completed = async () => {
    const events = await storedEvents(client, sessionId, after);
    const isOver = events.filter((event) => event.type === 'completion').length === tasks;
    return isOver && isLastOfTask(events.at(-1)) && events;
  };
  return until(completed, `${tasks} tasks of ${sessionId} are complete`);
}

// True also before the agent's first output.
export async function isWorking(client, sessionId) {
  const { state } = await client.call('session_get', { session_id: sessionId });
  return state === 'commanded' || state === 'processing';
}

// Each event exactly once, with the same JSON except for the index: a notification has 0 there and the real index in _meta.
export async function assertReceived(client, events) {
  const hasAll = () => client.messages.length >= events.length;
  const state = () => `${client.sdk} has ${client.messages.length} of ${events.length} events; errors: ${client.errors.slice(-5).join('; ')}`;
  await until(hasAll, state);
  const byIndex = client.messages.toSorted((a, b) => a._meta['oriel/index'] - b._meta['oriel/index']);
  assert.deepEqual(byIndex.map((message) => message._meta['oriel/index']), events.map((event) => event.index));
  for (const [i, event] of events.entries()) {
    assert.equal(JSON.stringify(byIndex[i].data), JSON.stringify({ ...event, index: 0 }));
    assert.equal(byIndex[i].logger, 'oriel');
  }
}

export function assertInOrder(client) {
  const indices = client.indices();
  assert.deepEqual(indices, indices.toSorted((a, b) => a - b));
}
