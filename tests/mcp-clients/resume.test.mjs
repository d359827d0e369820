// What a Last-Event-ID gets: its own stream, and never more.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { isTurnsLast } from './lib/events.mjs';
import { openRaw, readUntil } from './lib/raw.mjs';
import { startOriel } from './lib/oriel.mjs';
import { until } from './lib/until.mjs';

let oriel;
before(async () => { oriel = await startOriel(['--event-store-bytes', '512KiB']); });
after(() => oriel.stop());

async function open(test) {
  const client = await openRaw(oriel.url);
  test.after(() => client.end());
  return client;
}

const content = async (answer) => (await answer.json()).result.structuredContent;
// A stream has events without data, and changes of lists, too.
const pushed = ({ data }) => {
  const message = data === '' ? {} : JSON.parse(data);
  return message.method === 'notifications/message' ? message.params : undefined;
};
const isOver = (event) => pushed(event) !== undefined && isTurnsLast(pushed(event).data);

it('R-RESUME-6 a stream begins with an event that has an id, no data, and a time to come back', async (test) => {
  const client = await open(test);
  const stream = await client.get();
  assert.equal(stream.status, 200);
  const { value } = await stream.events.next();
  assert.match(value.id, /^\S+-\S*$/);
  assert.match(value.retry, /^\d+$/);
  assert.equal(value.data, '');
});

it('R-RESUME-5 a second plain GET gets 409, and one with an id takes the stream over', async (test) => {
  const client = await open(test);
  const first = await client.get();
  const { value: { id } } = await first.events.next();
  assert.equal((await client.get()).status, 409);
  const second = await client.get(id);
  assert.equal(second.status, 200);
  assert.equal((await readUntil(first.events, () => false).catch(() => [])).length, 0); // it has ended
  assert.equal((await client.get()).status, 409);
});

it('R-RESUME-1 what came while no stream was open is replayed, and then it goes on', async (test) => {
  const client = await open(test);
  await client.setLevel('info');
  const first = await client.get();
  const { value: { id } } = await first.events.next();
  first.leave();
  const { session_id } = await content(await client.tool('session_message', { message: 'help', workspace: oriel.workspace }));
  const isComplete = async () => (await content(await client.tool('session_get', { session_id }))).state === 'complete';
  await until(isComplete, 'the turn is over');
  const resumed = await client.get(id);
  assert.equal(resumed.status, 200);
  const replayed = await readUntil(resumed.events, isOver);
  await client.tool('session_message', { session_id, message: 'help' });
  const live = await readUntil(resumed.events, isOver);
  const indices = [...replayed, ...live].map(pushed).filter(Boolean).map((params) => params._meta['oriel/index']);
  const { events } = await content(await client.tool('session_events', { session_id }));
  assert.deepEqual(indices, events.filter((event) => event.type !== 'delta').map((event) => event.index));
});

it('R-RESUME-4 a call whose connection is lost is resumed up to its response, and finished it gets 204', async (test) => {
  const client = await open(test);
  const call = await client.tool('session_message', { message: 'slow 1s list', wait: true, workspace: oriel.workspace });
  assert.match(call.response.headers.get('content-type'), /^text\/event-stream/);
  const { value: { id } } = await call.events.next();
  call.leave();
  const resumed = await client.get(id);
  assert.equal(resumed.status, 200);
  const rest = await readUntil(resumed.events, () => false);
  const last = rest.at(-1);
  assert.equal(JSON.parse(last.data).result.structuredContent.status, 'completed');
  assert.equal((await client.get(last.id)).status, 204);
});

it('R-RESUME-2 an id of another session, or of none, opens nothing of anybody else', async (test) => {
  const owner = await open(test);
  await owner.setLevel('debug');
  const stream = await owner.get();
  const { value: { id } } = await stream.events.next();
  const call = await owner.tool('session_message', { message: 'help', wait: true, workspace: oriel.workspace });
  const { value: { id: callId } } = await call.events.next();
  await readUntil(call.events, () => false);

  for (const wrong of [id, callId, `${id}0`, 'nonsense', '----', '%00', '9'.repeat(4000)]) {
    const stranger = await open(test);
    await stranger.setLevel('debug');
    const opened = await stranger.get(wrong);
    assert.equal(opened.status, 200, wrong);
    const { value: first } = await opened.events.next();
    assert.equal(first.data, '');
    // The next thing that comes is its own.
    const { session_id } = await content(await stranger.tool('session_message', { message: 'help', workspace: oriel.workspace }));
    const next = pushed((await readUntil(opened.events, pushed)).at(-1));
    assert.equal(next.data.session_id, session_id);
    assert.equal(next._meta['oriel/index'], 0);
    assert.equal((await stranger.get(wrong)).status, 409);
  }
});

it('R-RESUME-3 an id whose next events are gone gets 410, which says where else they are', async (test) => {
  const client = await open(test);
  await client.setLevel('debug');
  const stream = await client.get();
  const { value: { id } } = await stream.events.next();
  const { session_id } = await content(await client.tool('session_message', { message: 'flood 2000', workspace: oriel.workspace }));
  await readUntil(stream.events, isOver);
  stream.leave();
  const purged = await client.get(id);
  assert.equal(purged.status, 410);
  const { error } = await purged.json();
  assert.equal(error.code, -32010);
  assert.match(error.message, /^events were purged.*session_events/);
  assert.ok(error.data.oldest > 1 && error.data.newest >= error.data.oldest);
  // Polling has them all.
  const { oldest_index } = await content(await client.tool('session_events', { session_id, limit: 1 }));
  assert.equal(oldest_index, 0);
});
