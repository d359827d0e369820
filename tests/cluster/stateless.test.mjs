// MCP of 2026-07-28, whose clients have no session: tasks and questions at any node.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'node:test';
import { until } from '../support/until.mjs';
import { Cluster } from './cluster.mjs';

const VERSION = '2026-07-28';
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const SOON = 60_000; // ms; the machine may be busy

let cluster;
let a;
let b;
beforeEach(async () => {
  cluster = await Cluster.start(['a', 'b']);
  [a, b] = cluster.nodes;
});
afterEach(() => cluster?.remove());

// The JSON-RPC answer.
async function ask(node, method, params, capabilities = TASKS) {
  const meta = { 'io.modelcontextprotocol/protocolVersion': VERSION, 'io.modelcontextprotocol/clientCapabilities': capabilities };
  const response = await fetch(node.server.mcpUrl, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json', Accept: 'application/json, text/event-stream',
      'Mcp-Protocol-Version': VERSION, 'Mcp-Method': method, 'Mcp-Name': params.name ?? params.taskId,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
  });
  const text = await response.text();
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream');
  return JSON.parse(isStream ? text.match(/^data: (\{.*)$/gm).at(-1).slice('data: '.length) : text);
}

async function begin(node, args) {
  const { result } = await ask(node, 'tools/call', { name: 'session_message', arguments: { wait: true, ...args } });
  assert.equal(result.resultType, 'task');
  return result.taskId;
}

const taskAt = async (node, taskId) => (await ask(node, 'tasks/get', { taskId })).result;

// Resolves with the task once it has this status at this node.
function reaches(node, taskId, status) {
  let last;
  const look = async () => {
    last = await ask(node, 'tasks/get', { taskId });
    return last.result?.status === status && last.result;
  };
  return until(look, () => `the task is ${status} at ${node.name}: ${JSON.stringify(last)}`, SOON);
}

it('R-CLUSTER-1: every node answers for a task of another one, and takes its cancellation', async () => {
  const done = await begin(a, { message: 'slow 1s list', workspace: a.server.workspace });
  assert.equal((await taskAt(b, done)).status, 'working');
  const { result } = await reaches(b, done, 'completed');
  assert.ok(result.structuredContent.text);
  assert.deepEqual(await taskAt(b, done), await taskAt(a, done));
  const endless = await begin(a, { message: 'slow 600s list', workspace: a.server.workspace });
  assert.ok((await ask(b, 'tasks/cancel', { taskId: endless })).result);
  for (const node of [a, b]) assert.equal((await taskAt(node, endless)).status, 'cancelled');
  const { error } = await ask(b, 'tasks/get', { taskId: 'nothing' });
  assert.match(error.message, /unknown or expired task/);
});

it('R-CLUSTER-1: a task of a killed node goes on at the node that is asked, and its node does not have it any more', async () => {
  const over = await begin(a, { message: 'list', workspace: a.server.workspace });
  await reaches(a, over, 'completed');
  const running = await begin(a, { message: 'slow 8s list', node: 'b', workspace: b.server.workspace });
  await a.server.kill();
  assert.equal((await taskAt(b, over)).status, 'completed');
  const { result } = await reaches(b, running, 'completed');
  assert.equal(result.structuredContent.status, 'completed');
  await cluster.start(a);
  assert.deepEqual(await taskAt(a, running), await taskAt(b, running));
  const { sessions } = await b.api.sessions();
  assert.equal(sessions.filter((session) => session.node === 'b').length, 1, 'the message was sent once');
});

it('R-CLUSTER-1: a question is answered at another node than the one that has asked it', async () => {
  const call = { name: 'session_message', arguments: { message: 'write notes.txt: hello', wait: true, permissions: 'ask', workspace: a.server.workspace } };
  const forms = { elicitation: {} };
  const asked = (await ask(a, 'tools/call', call, forms)).result;
  assert.equal(asked.resultType, 'input_required', JSON.stringify(asked));
  const [[key, question]] = Object.entries(asked.inputRequests);
  const decision = question.params.requestedSchema.properties.decision.oneOf[0].const;
  const inputResponses = { [key]: { action: 'accept', content: { decision } } };
  const { result } = await ask(b, 'tools/call', { ...call, requestState: asked.requestState, inputResponses }, forms);
  assert.equal(result?.structuredContent?.status, 'completed', JSON.stringify(result));
  assert.equal((await b.api.sessions()).sessions.length, 1);
});
