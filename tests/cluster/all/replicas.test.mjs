// Three NATS servers that replicate the log: each may be lost.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { NatsCluster } from '../../support/nats.mjs';
import { until } from '../../support/until.mjs';
import { Cluster, publishedOn } from '../cluster.mjs';

const ELECTION = 60_000; // ms; a leader is elected after 4 to 9 s on an idle machine

let cluster;
let a;
let b;
before(async () => {
  const nats = await NatsCluster.start(3);
  cluster = await Cluster.start(['a', 'b'], ['--cluster-replicas', '3'], nats);
  [a, b] = cluster.nodes;
});
after(() => cluster?.remove());

// Publishes until `count` more events are acknowledged. What is refused is published again.
async function publish(acknowledged, count) {
  const enough = acknowledged.length + count;
  await until(async () => {
    const text = String(acknowledged.length);
    await a.api.publish({ type: 'count', session_id: 's', text }).then(() => acknowledged.push(text), ({ status }) => assert.equal(status, 503));
    return acknowledged.length === enough;
  }, 'events are acknowledged', ELECTION);
}

it('R-CLUSTER-2: each NATS server is killed in turn, the leader too, and nothing acknowledged is lost', async () => {
  const acknowledged = [];
  for (const server of cluster.nats.servers) {
    await publish(acknowledged, 50);
    await server.kill();
    await publish(acknowledged, 50);
    await server.restart();
  }
  const events = await publishedOn(a, 's', acknowledged.length);
  assert.deepEqual(events.map(({ text }) => text), acknowledged);
  assert.deepEqual(await publishedOn(b, 's', events.length), events);
});

it('R-CLUSTER-7: the status says which server leads, how many replicas there are, and what is wrong with the servers', async () => {
  const status = await until(async () => {
    const now = await a.api.cluster();
    return now.log.leader ? now : undefined;
  }, 'the log has a leader', ELECTION);
  assert.equal(status.log.replicas, 3);
  assert.match(status.log.leader, /^n[012]$/);
  const [, minor = 0, patch = 0] = status.nats.version.split('.').map(Number);
  const isOld = minor < 10 || (minor === 10 && patch < 27);
  assert.equal(status.warnings.some((warning) => warning.includes('2.10.27')), isOld);
});
