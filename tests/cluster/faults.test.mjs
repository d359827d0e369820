// Nodes and NATS servers that are killed, frozen and lost.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'node:test';
import { OrielApi } from '../../build/web/oriel.js';
import { Server } from '../support/server.mjs';
import { until } from '../support/until.mjs';
import { Cluster, eventsOf, publishedOn, reaches, uploadsOf } from './cluster.mjs';

let cluster;
let a;
let b;
beforeEach(async () => {
  cluster = await Cluster.start(['a', 'b']);
  [a, b] = cluster.nodes;
});
afterEach(() => cluster?.remove());

const busyOn = async (node) => {
  const { session } = await node.api.start({ agent: 'demo', workspace: node.server.workspace, message: 'wait 600' });
  await reaches(node, session.session_id, 'processing');
  return session.session_id;
};

const isInterrupted = async (node, id) => {
  const session = await node.api.session(id).catch(() => undefined);
  return session !== undefined && session.state !== 'processing';
};

it('R-CLUSTER-2: what was acknowledged before a node was killed is there once', async () => {
  const acknowledged = [];
  let isKilled = false;
  const publishing = (async () => {
    for (let i = 0; !isKilled; ++i) {
      try {
        acknowledged.push([(await a.api.publish({ type: 'count', session_id: 's', text: String(i) })).sequence, String(i)]);
      } catch {
        return;
      }
    }
  })();
  await until(() => acknowledged.length > 100, 'events are published');
  await a.server.kill();
  isKilled = true;
  await publishing;
  const held = await publishedOn(b, 's', acknowledged.length);
  for (const [, text] of acknowledged) assert.equal(held.filter((event) => event.text === text).length, 1, `event ${text}`);
  assert.deepEqual(held.map(({ index }) => index), held.map((_, i) => i));
  await cluster.start(a);
  assert.deepEqual(await publishedOn(a, 's', held.length), held);
});

it('R-CLUSTER-4: the session of a killed node is interrupted once, by another node', async () => {
  const id = await busyOn(a);
  await a.server.kill();
  await until(() => isInterrupted(b, id), 'node b has taken the session over');
  await cluster.start(a);
  const events = await eventsOf(b, id);
  assert.equal(events.filter(({ type, data }) => type === 'completion' && /the node a was lost/.test(data.detail)).length, 1);
  assert.deepEqual(await eventsOf(a, id), events);
});

it('R-CLUSTER-4: a frozen owner stores nothing after its session was taken over, and its agent ends', async () => {
  const id = await busyOn(a);
  a.server.freeze();
  await until(() => isInterrupted(b, id), 'node b has taken the session over');
  const before = await eventsOf(b, id);
  a.server.thaw();
  await until(() => isInterrupted(a, id), 'node a has noticed');
  await until(() => a.server.agents().length === 0, 'its agent has ended');
  assert.deepEqual((await eventsOf(a, id)).slice(0, before.length), before);
  assert.deepEqual(await eventsOf(a, id), await eventsOf(b, id));
});

it('R-CLUSTER-5: an upload whose owner is killed meanwhile fails, and leaves nothing behind', async () => {
  const { session } = await a.api.start({ agent: 'demo', message: 'help' });
  const id = session.session_id;
  await reaches(b, id, 'complete');
  const head = `--x\r\nContent-Disposition: form-data; name="session_id"\r\n\r\n${id}\r\n--x\r\n` +
    'Content-Disposition: form-data; name="file"; filename="big.bin"\r\n\r\n';
  const body = async function* () {
    yield Buffer.from(head);
    yield Buffer.alloc(1 << 20);
    await until(() => uploadsOf(b).length === 1, 'node b receives the file');
    await a.server.kill();
    yield Buffer.from('\r\n--x--\r\n');
  };
  const response = await fetch(`${b.server.url}/api/turns`, {
    method: 'POST', headers: { 'Content-Type': 'multipart/form-data; boundary=x' }, body: ReadableStream.from(body()), duplex: 'half',
  });
  assert.equal(response.status, 503);
  assert.equal((await response.json()).error.code, 'node_unreachable');
  await until(() => uploadsOf(b).length === 0, 'node b keeps nothing');
  await cluster.start(a);
  assert.deepEqual(uploadsOf(a), []);
});

it('R-CLUSTER-7: without its NATS server a node shows everything, refuses to store, and goes on by itself', async () => {
  const { sequence } = await a.api.publish({ type: 'count', session_id: 's', text: 'before' });
  await cluster.nats.kill();
  await until(async () => (await a.api.health()).status === 'degraded', 'node a reports it');
  assert.equal((await publishedOn(a, 's', 1)).length, 1);
  await assert.rejects(a.api.publish({ type: 'count', session_id: 's', text: 'meanwhile' }), { status: 503, code: 'journal_failed' });
  await cluster.nats.restart();
  await until(async () => (await a.api.health()).status === 'ok', 'node a has recovered');
  const after = await until(() => a.api.publish({ type: 'count', session_id: 's', text: 'after' }).catch(() => undefined), 'node a stores again');
  assert.ok(after.sequence > sequence);
  assert.deepEqual(await publishedOn(b, 's', 2), await publishedOn(a, 's', 2));
});

it('R-CLUSTER-6: a node that lost its disk rejoins with the state of the others', async () => {
  const { session } = await a.api.start({ agent: 'demo', message: 'help' });
  await reaches(a, session.session_id, 'complete');
  await b.server.kill();
  b.server.wipe();
  await cluster.start(b);
  assert.deepEqual(await eventsOf(b, session.session_id), await eventsOf(a, session.session_id));
});

it('R-CLUSTER-6: a server becomes the first node with its journal, and leaves with it', async () => {
  await Promise.all([a, b].map(({ server }) => server.remove()));
  await cluster.nats.kill();
  cluster.nats.wipe();
  await cluster.nats.restart();
  const alone = await Server.start();
  cluster.nodes = [{ name: 'first', server: alone }];
  const api = new OrielApi({ baseUrl: alone.url });
  await api.publish({ type: 'count', session_id: 'old', text: '1' });
  const { journal } = await api.health();
  await alone.stop();
  alone.flags = ['--cluster', cluster.nats.url, '--node', 'first'];
  cluster.nodes = [];
  const first = await cluster.join('first', alone);
  assert.equal((await first.api.health()).journal.epoch, journal.epoch);
  const second = await cluster.add('second');
  assert.equal((await publishedOn(second, 'old', 1))[0].text, '1');
  await first.server.stop();
  alone.flags = [];
  await alone.start();
  await new OrielApi({ baseUrl: alone.url }).publish({ type: 'count', session_id: 'old', text: '2' });
  assert.deepEqual((await publishedOn(first, 'old', 2)).map(({ text }) => text), ['1', '2']);
});
