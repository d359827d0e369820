// What people see of a cluster: any node shows everything and takes every command.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, it } from 'node:test';
import { openStream } from '../../build/web/oriel.js';
import { Server } from '../support/server.mjs';
import { until } from '../support/until.mjs';
import { Cluster, eventsOf, formOf, postHook, publishedOn, reaches, startOnce, uploadsOf } from './cluster.mjs';

let cluster;
let a;
let b;
before(async () => {
  cluster = await Cluster.start(['a', 'b']);
  [a, b] = cluster.nodes;
});
after(() => cluster?.remove());

const startOn = async (node, message, more = {}) => {
  const { session } = await node.api.start({ agent: 'demo', workspace: node.server.workspace, message, ...more });
  return session.session_id;
};

it('R-CLUSTER-1: a session of one node is listed, read and answered on the other', async () => {
  const id = await startOn(a, 'write notes.txt: hello', { permissions: 'ask' });
  assert.ok((await b.api.sessions()).sessions.some((session) => session.session_id === id), 'read your writes is for one node');
  await reaches(b, id, 'awaiting_input');
  const [permission] = (await b.api.session(id)).permissions;
  await b.api.answer(id, permission.permission_id, { decision: 'allow' });
  await reaches(b, id, 'complete');
  await reaches(a, id, 'complete');
  assert.deepEqual(await eventsOf(b, id), await eventsOf(a, id));
  assert.equal((await b.api.session(id)).node, 'a');
});

it('R-CLUSTER-5: messages, cancel and end reach the owner from the other node, which reads its own writes', async () => {
  const id = await startOn(a, 'help');
  await reaches(b, id, 'complete');
  const { task_id, last_index } = await b.api.message(id, 'wait 30', 'm1');
  assert.ok((await b.api.session(id)).last_index >= last_index);
  assert.equal((await b.api.message(id, 'wait 30', 'm1')).task_id, task_id, 'a repeated request has no effect');
  assert.equal((await b.api.cancel(id)).task_id, task_id);
  await until(async () => !['commanded', 'processing'].includes((await b.api.session(id)).state), 'the task is cancelled');
  assert.equal((await b.api.end(id)).status, 'completed');
  assert.equal((await a.api.session(id)).status, 'completed');
  await assert.rejects(b.api.message(id, 'help'), { code: 'session_ended' });
});

it('R-CLUSTER-5: the first answer to a question wins, whichever node it comes from', async () => {
  const id = await startOn(a, 'write other.txt: hello', { permissions: 'ask' });
  await reaches(b, id, 'awaiting_input');
  const [permission] = (await b.api.session(id)).permissions;
  const answers = await Promise.allSettled([a, b].map((node) => node.api.answer(id, permission.permission_id, { decision: 'allow' })));
  assert.equal(answers.filter((answer) => answer.status === 'fulfilled').length, 1);
  assert.equal(answers.find((answer) => answer.status === 'rejected').reason.code, 'already_resolved');
});

it('R-CLUSTER-5: a request to create a session that is repeated on another node has no effect', async () => {
  const body = { agent: 'demo', message: 'help', request_id: 'once' };
  const created = await Promise.all([a, b, a, b].map((node) => startOnce(node, body)));
  assert.equal(new Set(created.map(({ session }) => session.session_id)).size, 1);
});

it('R-CLUSTER-5: files are sent to any node, are on the disk of the owner alone, and come back from any node', async () => {
  const id = await startOn(a, 'help');
  await reaches(b, id, 'complete');
  const big = randomBytes(3_000_001);
  const form = formOf(id, { 'big one.bin': big, 'empty.txt': Buffer.of() });
  const { files, turn_id } = await b.api.addTurn(form);
  assert.deepEqual(files.map(({ name, size }) => [name, size]), [['big one.bin', big.length], ['empty.txt', 0]]);
  assert.deepEqual((await a.api.turns(id)).turns.find((turn) => turn.turn_id === turn_id).files, files);
  for (const node of [a, b]) {
    assert.ok(big.equals(Buffer.from(await (await node.api.file(id, files[0].file_id)).arrayBuffer())), node.name);
    assert.equal((await node.api.file(id, files[1].file_id)).size, 0, node.name);
  }
  assert.equal(uploadsOf(a).length, 2);
  await until(() => uploadsOf(b).length === 0, 'node b keeps nothing');
});

it('R-CLUSTER-5: the owner refuses files of another node as its own', async () => {
  const id = await startOn(a, 'help');
  await reaches(b, id, 'complete');
  await a.api.end(id);
  const before = uploadsOf(a);
  await assert.rejects(b.api.addTurn(formOf(id, { 'late.txt': Buffer.from('late') })), { status: 409, code: 'session_ended' });
  await until(() => uploadsOf(a).length === before.length && uploadsOf(b).length === 0, 'no node keeps the file');
  await assert.rejects(b.api.file(id, 'nothing'), { status: 404, code: 'unknown_file' });
});

it('R-CLUSTER-5: a hook that reaches another node goes to the one that observes the agent', async () => {
  await postHook(a, 'user-prompt-submit', { session_id: 'agent-1', cwd: a.server.workspace, prompt: 'first' });
  await until(async () => (await b.api.session('agent-1').catch(() => undefined))?.turns === 1, 'node b shows the agent');
  assert.equal(await postHook(b, 'user-prompt-submit', { session_id: 'agent-1', cwd: a.server.workspace, prompt: 'second' }), 'agent-1');
  await until(async () => (await a.api.session('agent-1')).turns === 2, 'node a has taken the hook');
  await until(async () => (await b.api.session('agent-1')).turns === 2, 'node b shows it');
  assert.equal((await b.api.session('agent-1')).node, 'a');
  assert.equal(await postHook(b, 'user-prompt-submit', { session_id: 'agent-2', cwd: b.server.workspace, prompt: 'new' }), 'agent-2');
  await until(async () => (await a.api.session('agent-2').catch(() => undefined))?.node === 'b', 'an unknown agent stays where it is seen');
});

it('R-CLUSTER-3: all nodes show the same events in the same order under the same sequence', async () => {
  const published = [];
  const publish = async (node, count) => {
    for (let i = 0; i < count; ++i) published.push(await node.api.publish({ type: 'order', session_id: 'orders', text: `${node.name}${i}` }));
  };
  await Promise.all([publish(a, 100), publish(b, 100)]);
  assert.equal(new Set(published.map(({ sequence }) => sequence)).size, 200);
  const read = async (node) => (await publishedOn(node, 'orders', 200)).map(({ id, text }) => `${id} ${text}`);
  assert.deepEqual(await read(b), await read(a), 'cursors are the same, too');
});

it('R-CLUSTER-1: a watcher that moves to another node with its cursor gets each event once', async () => {
  const seen = [];
  let cursor;
  const watch = (node, until_count) => {
    const stream = openStream({ baseUrl: node.server.url, after: cursor, types: ['moved'], shared: false });
    stream.onEvents((events) => seen.push(...events.map(({ text }) => Number(text))));
    stream.onGap((gap) => assert.fail(`a gap of ${gap.missed}`));
    return until(() => seen.length >= until_count, () => `${seen.length} of ${until_count} events`).then(() => {
      cursor = stream.cursor;
      stream.close();
    });
  };
  ({ id: cursor } = await a.api.publish({ type: 'begin' }));
  for (let i = 0; i < 60; ++i) {
    await [a, b][i % 2].api.publish({ type: 'moved', text: String(i) });
    if (i % 10 === 9) await watch([a, b][(i / 10 | 0) % 2], i + 1);
  }
  assert.deepEqual(seen, Array.from({ length: 60 }, (_, i) => i));
});

it('R-CLUSTER-6: a node that joins late shows everything that was before', async () => {
  const id = await startOn(a, 'help');
  await reaches(a, id, 'complete');
  const c = await cluster.add('c');
  assert.deepEqual(await eventsOf(c, id), await eventsOf(a, id));
  assert.equal((await c.api.health()).journal.epoch, (await a.api.health()).journal.epoch);
});

it('R-CLUSTER-6: a node with a journal of its own is refused', async () => {
  const foreign = await Server.start();
  await foreign.stop();
  foreign.flags = ['--cluster', cluster.nats.url, '--node', 'foreign'];
  await assert.rejects(foreign.start(), /journal/);
});

it('a second node of the same name is refused', async () => {
  const twin = new Server(['--cluster', cluster.nats.url, '--node', 'a']);
  await assert.rejects(twin.start(), /another process runs as the node a/);
});
