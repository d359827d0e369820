// Labels of nodes, and sessions that ask for them.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, it } from 'node:test';
import { Server } from '../support/server.mjs';
import { until } from '../support/until.mjs';
import { Cluster } from './cluster.mjs';

let cluster;
let a;
before(async () => {
  cluster = await Cluster.start(['a']);
  [a] = cluster.nodes;
  await cluster.add('b', ['--node-labels', 'linux,gpu']);
});
after(() => cluster?.remove());

const nodeOf = async (body) => (await a.api.start({ agent: 'demo', ...body })).session.node;

it('R-CLUSTER-5: a session runs on a node with the labels that its request asks for', async () => {
  await until(async () => (await a.api.cluster()).nodes[1].max_sessions > 0, 'node a knows the limit of node b');
  assert.deepEqual((await a.api.cluster()).nodes.map(({ labels }) => labels), [[], ['gpu', 'linux']]);
  const status = execFileSync(Server.program, ['cluster', 'status', '--url', a.server.url], { encoding: 'utf8' });
  assert.match(status, /b .*\[gpu, linux\]/);
  assert.equal(await nodeOf({}), 'a');
  assert.equal(await nodeOf({ node_labels: ['gpu'] }), 'b');
  await assert.rejects(nodeOf({ node_labels: ['gpu', 'arm'] }), { status: 503, code: 'node_unreachable', message: /the label "arm"/ });
  await assert.rejects(nodeOf({ node_labels: ['gpu'], node: 'a' }), { status: 400, code: 'invalid_request', message: /"a" lacks the label "gpu"/ });
  await assert.rejects(nodeOf({ node_labels: ['two words'] }), { status: 400 });
});
