// An MCP client goes on at any node, with the session that it has.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'node:test';
import { isLastOfTask } from '../mcp-clients/lib/events.mjs';
import { openRaw, readUntil } from '../mcp-clients/lib/raw.mjs';
import { until } from '../support/until.mjs';
import { Cluster } from './cluster.mjs';

let cluster;
let a;
let b;
let client;
beforeEach(async () => {
  cluster = await Cluster.start(['a', 'b']);
  [a, b] = cluster.nodes;
  client = await openRaw(a.server.mcpUrl);
});
afterEach(() => cluster?.remove());

const content = async (response) => (await response.json()).result.structuredContent;
const pushed = ({ data }) => {
  const message = data === '' ? {} : JSON.parse(data);
  return message.method === 'notifications/message' ? message.params.data : undefined;
};
const endsTask = (event) => pushed(event) !== undefined && isLastOfTask(pushed(event));
// A pushed event is the stored one without its index.
const withoutIndex = ({ index: _, ...rest }) => rest;
const pushedIn = (events) => events.map(pushed).filter(Boolean).map(withoutIndex);

const say = (message, more = {}) => client.tool('session_message', { message, workspace: a.server.workspace, ...more }).then(content);

it('R-CLUSTER-1: an MCP session and its stream go on at another node, and come back', async () => {
  await client.setLevel('debug');
  const first = await client.get();
  const { session_id } = await say('count');
  const before = await readUntil(first.events, endsTask);
  first.leave();
  client.moveTo(b.server.mcpUrl);
  await client.tool('session_message', { session_id, message: 'list' }).then(content);
  const second = await client.get(before.at(-1).id);
  assert.equal(second.status, 200);
  const after = await readUntil(second.events, endsTask);
  second.leave();
  client.moveTo(a.server.mcpUrl);
  const { events } = await content(await client.tool('session_events', { session_id, limit: 1000 }));
  assert.deepEqual([...pushedIn(before), ...pushedIn(after)], events.map(withoutIndex));
});

it('R-CLUSTER-1: the MCP session of a killed node goes on at another one', async () => {
  await client.setLevel('debug');
  const { session_id } = await say('count');
  await a.server.kill();
  client.moveTo(b.server.mcpUrl);
  const stream = await client.get();
  assert.equal(stream.status, 200);
  const { sessions } = await content(await client.tool('session_list', {}));
  assert.ok(sessions.some((session) => session.session_id === session_id));
  await cluster.start(a);
});

it('R-CLUSTER-1: a node lets go of an MCP session that another one has taken over', async () => {
  const stream = await client.get();
  await readUntil(stream.events, () => true);
  client.moveTo(b.server.mcpUrl);
  await content(await client.tool('session_list', {}));
  await readUntil(stream.events, () => false); // it ends
  const sessionsOf = async ({ server }) => Number(/^oriel_mcp_sessions (\d+)/m.exec(await (await fetch(`${server.url}/metrics`)).text())[1]);
  await until(async () => (await sessionsOf(a)) === 0 && (await sessionsOf(b)) === 1, 'it counts at one node');
});

it('R-CLUSTER-1: an MCP session that ended is unknown at every node', async () => {
  await client.end();
  for (const { server } of [a, b]) {
    client.moveTo(server.mcpUrl);
    assert.equal((await client.request('tools/list', {})).status, 404);
  }
});
