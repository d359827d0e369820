// Last-Event-ID resumes the client's own stream and nothing else.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { isLastOfTask } from './lib/events.mjs';
import { openRaw, readUntil } from './lib/raw.mjs';
import { Server } from '../support/server.mjs';
import { until } from '../support/until.mjs';

let server;
before(async () => { server = await Server.start(); });
after(() => server.remove());

async function open(test, { mcpUrl } = server) {
  const client = await openRaw(mcpUrl);
  test.after(() => client.end());
  return client;
}

const content = async (response) => (await response.json()).result.structuredContent;
// The params of a log message; streams also carry events without data, and list changes.
const pushed = ({ data }) => {
  const message = data === '' ? {} : JSON.parse(data);
  return message.method === 'notifications/message' ? message.params : undefined;
};
const isOver = (event) => pushed(event) !== undefined && isLastOfTask(pushed(event).data);

it('R-RESUME-6 a stream begins with an event that has an id, a retry time and no data', async (test) => {
  const client = await open(test);
  const stream = await client.get();
  assert.equal(stream.status, 200);
  const { value } = await stream.events.next();
  assert.match(value.id, /^\S+-\S*$/);
  assert.match(value.retry, /^\d+$/);
  assert.equal(value.data, '');
});

it('R-RESUME-5 a second GET gets 409, and one with Last-Event-ID takes the stream over', async (test) => {
  const client = await open(test);
  const first = await client.get();
  const { value: { id } } = await first.events.next();
  assert.equal((await client.get()).status, 409);
  const second = await client.get(id);
  assert.equal(second.status, 200);
  assert.equal((await readUntil(first.events, () => false).catch(() => [])).length, 0); // it ended
  assert.equal((await client.get()).status, 409);
});

it('R-RESUME-1 a resumed stream replays the missed events and continues live', async (test) => {
  const client = await open(test);
  await client.setLevel('info');
  const first = await client.get();
  const { value: { id } } = await first.events.next();
  first.leave();
  const { session_id } = await content(await client.tool('session_message', { message: 'help', workspace: server.workspace }));
  const isComplete = async () => (await content(await client.tool('session_get', { session_id }))).state === 'complete';
  await until(isComplete, 'the task is complete');
  const resumed = await client.get(id);
  assert.equal(resumed.status, 200);
  const replayed = await readUntil(resumed.events, isOver);
  await client.tool('session_message', { session_id, message: 'help' });
  const live = await readUntil(resumed.events, isOver);
  const indices = [...replayed, ...live].map(pushed).filter(Boolean).map((params) => params._meta['oriel/index']);
  const { events } = await content(await client.tool('session_events', { session_id }));
  assert.deepEqual(indices, events.filter((event) => event.type !== 'delta').map((event) => event.index));
});

it('R-RESUME-4 a call resumes after a lost connection up to its response, and then gets 204', async (test) => {
  const client = await open(test);
  const call = await client.tool('session_message', { message: 'slow 1s list', wait: true, workspace: server.workspace });
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

it('R-RESUME-2 an id of another session, or of none, never opens a foreign stream', async (test) => {
  const owner = await open(test);
  await owner.setLevel('debug');
  const stream = await owner.get();
  const { value: { id } } = await stream.events.next();
  const call = await owner.tool('session_message', { message: 'help', wait: true, workspace: server.workspace });
  const { value: { id: callId } } = await call.events.next();
  await readUntil(call.events, () => false);

  for (const wrong of [id, callId, `${id}0`, 'nonsense', '----', '%00', '9'.repeat(4000)]) {
    const stranger = await open(test);
    await stranger.setLevel('debug');
    const opened = await stranger.get(wrong);
    assert.equal(opened.status, 200, wrong);
    const { value: first } = await opened.events.next();
    assert.equal(first.data, '');
    // The first event is its own.
    const { session_id } = await content(await stranger.tool('session_message', { message: 'help', workspace: server.workspace }));
    const next = pushed((await readUntil(opened.events, pushed)).at(-1));
    assert.equal(next.data.session_id, session_id);
    assert.equal(next._meta['oriel/index'], 0);
    assert.equal((await stranger.get(wrong)).status, 409);
  }
});

it('R-RESUME-8 a stream that is cut before the client has read an id loses nothing', async (test) => {
  const client = await open(test);
  await client.setLevel('info');
  const { session_id } = await content(await client.tool('session_message', { message: 'help', workspace: server.workspace }));
  const isComplete = async () => (await content(await client.tool('session_get', { session_id }))).state === 'complete';
  await until(isComplete, 'the task is complete');
  const cut = await client.get();
  assert.equal(cut.status, 200);
  cut.leave();
  const reopen = async () => {
    const opened = await client.get();
    return opened.status === 200 ? opened : undefined;
  };
  const again = await until(reopen, 'the server has noticed that the first stream is gone');
  const received = (await readUntil(again.events, isOver)).map(pushed).filter(Boolean);
  const { events } = await content(await client.tool('session_events', { session_id }));
  assert.deepEqual(received.map((params) => params._meta['oriel/index']),
    events.filter((event) => event.type !== 'delta').map((event) => event.index));
});

it('R-RESUME-3 an id whose next events were purged gets 410, which names session_events', async (test) => {
  const small = await Server.start(['--store', 'memory', '--event-store-bytes', '512KiB']);
  const client = await open(test, small);
  test.after(() => small.remove());
  await client.setLevel('debug');
  const stream = await client.get();
  const { value: { id } } = await stream.events.next();
  const { session_id } = await content(await client.tool('session_message', { message: 'babble 1000', workspace: small.workspace }));
  await readUntil(stream.events, isOver);
  stream.leave();
  const purged = await client.get(id);
  assert.equal(purged.status, 410);
  const { error } = await purged.json();
  assert.equal(error.code, -32010);
  assert.match(error.message, /^events were purged.*session_events/);
  assert.ok(error.data.oldest > 1 && error.data.newest >= error.data.oldest);
  // Polling continues with the oldest that is left.
  const { oldest_index } = await content(await client.tool('session_events', { session_id, limit: 1 }));
  assert.ok(oldest_index > 0);
});
