// A log that its NATS servers have lost.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'node:test';
import { openStream } from '../../build/web/oriel.js';
import { until } from '../support/until.mjs';
import { Cluster, eventsOf, publishedOn, reaches } from './cluster.mjs';

let cluster;
beforeEach(async () => {
  cluster = await Cluster.start(['a', 'b', 'c']);
});
afterEach(() => cluster?.remove());

const refound = ({ name, server }, ...flags) =>
  server.run('cluster', 'refound', '--cluster', cluster.nats.url, '--node', name, ...flags);

const publish = (node, text) => node.api.publish({ type: 'count', session_id: 's', text });

// Watches from a cursor on: what it delivers is in `seen`, the text of each event and 'gap' for each gap.
function watch(node, after) {
  const seen = [];
  const stream = openStream({ baseUrl: node.server.url, after, sessionIds: ['s'], shared: false });
  stream.onEvents((events) => seen.push(...events.map(({ text }) => text)));
  stream.onGap(() => seen.push('gap'));
  return { seen, stream };
}

it('R-CLUSTER-7: a log that was lost goes on from the journal of one node, and clients are told', async () => {
  const [a, b, c] = cluster.nodes;
  const { session } = await a.api.start({ agent: 'demo', message: 'help' });
  const id = session.session_id;
  await reaches(c, id, 'complete');
  for (let i = 0; i < 5; ++i) await publish(cluster.nodes[i % 3], String(i));
  const { id: cursor } = await publish(a, 'last');
  for (const node of cluster.nodes) await publishedOn(node, 's', 6);
  const events = await eventsOf(a, id);

  assert.throws(() => refound(a), /open|process|stop/, 'not while the node runs');
  await a.server.stop();
  assert.throws(() => refound(a), /the log is in order/);
  await cluster.nats.kill();
  cluster.nats.wipe();
  await cluster.nats.restart();
  await until(async () => /oriel cluster refound/.test((await b.api.health()).problems.join()), 'node b says what to do');
  await assert.rejects(publish(b, 'lost'), { status: 503 });
  assert.deepEqual(await eventsOf(b, id), events, 'it can be read');

  assert.match(refound(a), /Founded generation 2/);
  assert.throws(() => refound(a), /from this journal already/);
  await cluster.start(a);
  for (const node of [b, c]) {
    assert.equal(await node.server.exited(), 1, 'it asks for a restart');
    assert.match(node.server.log, /founded anew/);
  }
  c.server.wipe();
  for (const node of [b, c]) await cluster.start(node);

  for (const [i, node] of cluster.nodes.entries()) await publish(node, `after ${i}`);
  for (const node of cluster.nodes) {
    assert.deepEqual(await eventsOf(node, id), events);
    const texts = (await publishedOn(node, 's', 9)).map(({ text }) => text);
    assert.deepEqual(texts, ['0', '1', '2', '3', '4', 'last', 'after 0', 'after 1', 'after 2']);
    const { seen, stream } = watch(node, cursor);
    await until(() => seen.length === 10, () => `${node.name} delivers everything after a gap, not ${seen}`);
    assert.deepEqual(seen, ['gap', ...texts], 'an old cursor is told of a gap');
    stream.close();
  }
  await a.api.message(id, 'help');
  await reaches(b, id, 'complete');
});
