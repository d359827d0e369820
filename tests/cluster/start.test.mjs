// Nodes that start while their NATS server is gone, is another one, or does not know them.

import assert from 'node:assert/strict';
import { afterEach, it } from 'node:test';
import { OrielApi } from '../../build/web/oriel.js';
import { freePort, NatsServer } from '../support/nats.mjs';
import { Server } from '../support/server.mjs';
import { until } from '../support/until.mjs';
import { callTool, Cluster, eventsOf, publishedOn, reaches } from './cluster.mjs';

let cluster;
afterEach(() => cluster?.remove());

const isReady = async ({ server }) => (await fetch(`${server.url}/ready`)).ok;

const publish = (node, text) => node.api.publish({ type: 'count', session_id: 's', text });

it('R-CLUSTER-7: a node starts without its NATS server, shows everything, refuses to store, and joins by itself', async () => {
  cluster = await Cluster.start(['a', 'b']);
  const [a, b] = cluster.nodes;
  const { session } = await a.api.start({ agent: 'demo', message: 'help' });
  const id = session.session_id;
  await reaches(b, id, 'complete');
  await publish(a, 'before');
  const before = await eventsOf(b, id);
  await publishedOn(a, 's', 1);
  await a.server.stop();
  const { id: cursor } = await publish(b, 'meanwhile');
  await cluster.nats.kill();

  await a.server.start();
  a.api = new OrielApi({ baseUrl: a.server.url });
  assert.ok((await a.api.sessions()).sessions.some((listed) => listed.session_id === id));
  assert.deepEqual(await eventsOf(a, id), before);
  assert.equal((await publishedOn(a, 's', 1))[0].text, 'before');
  assert.equal((await fetch(a.server.url)).status, 200, 'the page');
  const answer = await callTool(a, 'session_get', { session_id: id });
  assert.equal(answer.result?.structuredContent.session_id, id, JSON.stringify(answer));

  const health = await a.api.health();
  assert.equal(health.status, 'degraded');
  assert.match(health.problems[0], /NATS/);
  assert.equal((await fetch(`${a.server.url}/ready`)).status, 503);
  for (const [path, body] of [['/api/publish', { type: 'count', session_id: 's', text: 'x' }], ['/api/sessions', { agent: 'demo', message: 'help' }],
    [`/api/sessions/${id}/messages`, { message: "help" }]]) {
    const response = await fetch(a.server.url + path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
    assert.equal(response.status, 503, path);
    assert.ok(Number(response.headers.get('Retry-After')) > 0, path);
  }
  const ahead = await fetch(`${a.server.url}/api/events`, { headers: { 'Last-Event-ID': cursor } });
  assert.equal(ahead.status, 503, 'a watcher that has seen more is not told that events are gone');

  await cluster.nats.restart();
  await until(() => isReady(a), () => `node a has joined:\n${a.server.log}`, 60_000);
  assert.equal((await a.api.health()).status, 'ok');
  await until(() => publish(a, 'after').catch(() => undefined), 'node a stores again');
  assert.deepEqual((await publishedOn(a, 's', 3)).map(({ text }) => text), ['before', 'meanwhile', 'after']);
  await a.api.message(id, 'help');
  await reaches(b, id, 'complete');
});

it('R-CLUSTER-7: a node without a journal waits for its NATS server and says so', async () => {
  cluster = new Cluster();
  cluster.nats = await NatsServer.start();
  await cluster.nats.kill();
  const server = new Server(['--cluster', cluster.nats.url, '--node', 'new']);
  server.url = `http://127.0.0.1:${await freePort()}`;
  const joining = cluster.join('new', server);
  const ready = await until(() => fetch(`${server.url}/ready`).catch(() => undefined), 'the node answers');
  assert.equal(ready.status, 503);
  await until(async () => /NATS/.test((await (await fetch(`${server.url}/ready`)).json()).reason), 'it says what it waits for');
  assert.equal((await fetch(`${server.url}/api/sessions`)).status, 503);
  assert.match((await (await fetch(`${server.url}/health`)).json()).problems[0], /NATS/);
  await cluster.nats.restart();
  const { api } = await joining;
  await api.publish({ type: 'count', session_id: 's', text: 'first' });
});

it('wrong credentials end the start with the reason', async () => {
  cluster = new Cluster();
  cluster.nats = await NatsServer.start(['--user', 'ann', '--pass', 'secret']);
  const server = new Server(['--cluster', cluster.nats.url.replace('//', '//ann:wrong@'), '--node', 'a']);
  await assert.rejects(server.start(), /refuse the credentials/);
});
