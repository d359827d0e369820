// The stateless protocol (2026-07-28), with the SDK that negotiates the version itself.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { connect } from './lib/clients.mjs';
import { assertInOrder, assertReceived, eventsAfterTasks, isWorking } from './lib/events.mjs';
import { Server } from '../support/server.mjs';
import { until } from '../support/until.mjs';

const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
const TOOLS = ['agent_list', 'permission_answer', 'session_cancel', 'session_changes', 'session_end', 'session_events', 'session_get', 'session_list',
  'session_message', 'session_search', 'session_unwatch', 'session_update', 'session_watch'];

let server;
let client;
before(async () => {
  server = await Server.start();
  client = await connect('client 2.x', server.mcpUrl, { mode: 'auto' });
});
after(async () => {
  await client.end();
  await server.remove();
});

it('auto negotiation selects 2026-07-28, and the tools are listed', async () => {
  assert.equal(client.client.getNegotiatedProtocolVersion(), '2026-07-28');
  assert.equal(client.client.getServerVersion().name, 'oriel');
  const { tools } = await client.client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name).toSorted(), TOOLS);
});

it('R-LIVE-1 R-LIVE-6 a message that waits streams its task at its log level and returns the final text', async () => {
  client.messages.length = 0;
  const { session_id, text, status } = await client.call('session_message', { message: 'babble 50', wait: true, workspace: server.workspace },
    { meta: { [LOG_LEVEL]: 'debug' } });
  assert.equal(status, 'completed');
  const events = await eventsAfterTasks(client, session_id, 1);
  const completed = events.findIndex((event) => event.type === 'completion');
  assert.equal(text, events[completed].text);
  // The call ends with its task: events after the completion belong to no call.
  await assertReceived(client, events.slice(0, Math.max(client.messages.length, completed + 1)));
  assertInOrder(client);
});

it('R-LIVE-6 level info excludes deltas, and without a level nothing is sent', async () => {
  client.messages.length = 0;
  const { session_id } = await client.call('session_message', { message: 'babble 25', wait: true, workspace: server.workspace },
    { meta: { [LOG_LEVEL]: 'info' } });
  assert.ok(client.messages.length > 0);
  assert.ok(client.messages.every((message) => message.level === 'info' && message.data.type !== 'delta'));
  client.messages.length = 0;
  await client.call('session_message', { session_id, message: 'babble 25', wait: true });
  assert.deepEqual(client.messages, []);
});

it('a message that does not wait returns at once, also with a log level and a progress token', async () => {
  const { session_id, task_id, text } = await client.call('session_message',
    { message: 'slow 60s help', workspace: server.workspace }, { meta: { [LOG_LEVEL]: 'debug' }, onprogress: () => {} });
  assert.ok(task_id);
  assert.equal(text, undefined);
  await client.call('session_end', { session_id });
});

it('a message that waits with a progress token reports rising progress', async () => {
  const progress = [];
  const { status } = await client.call('session_message', { message: 'list', wait: true, workspace: server.workspace },
    { onprogress: (params) => progress.push(params) });
  assert.equal(status, 'completed');
  assert.ok(progress.length >= 3);
  for (let i = 1; i < progress.length; ++i) assert.ok(progress[i].progress > progress[i - 1].progress);
});

it('cancelling a call ends it, and not its task', async () => {
  const controller = new AbortController();
  const { session_id } = await client.call('session_message', { message: 'help', wait: true, workspace: server.workspace });
  const waiting = client.call('session_message', { session_id, message: 'slow 60s help', wait: true }, { signal: controller.signal });
  await until(() => isWorking(client, session_id), 'the task has started');
  controller.abort('cancelled');
  await assert.rejects(waiting);
  await client.call('session_cancel', { session_id });
  const events = await eventsAfterTasks(client, session_id, 2);
  assert.equal(events.findLast((event) => event.type === 'completion').status, 'cancelled');
});

it('subscriptions/listen reports a changed session, and reading it returns its events', async (test) => {
  const { session_id } = await client.call('session_message', { message: 'help', wait: true, workspace: server.workspace });
  const uri = `oriel://sessions/${session_id}/events`;
  const updated = [];
  client.client.setNotificationHandler('notifications/resources/updated', ({ params }) => { updated.push(params.uri); });
  const subscription = await client.client.listen({ resourceSubscriptions: [uri], resourcesListChanged: true });
  test.after(() => subscription.close());
  assert.deepEqual(subscription.honoredFilter.resourceSubscriptions, [uri]);
  await client.call('session_message', { session_id, message: 'help', wait: true });
  await until(() => updated.includes(uri), 'the change is reported');
  const { contents } = await client.client.readResource({ uri }, { cacheMode: 'bypass' });
  const events = JSON.parse(contents[0].text);
  assert.equal(events.filter((event) => event.type === 'completion').length, 2);
});

it('R-DURABLE-3 a call that a kill -9 cuts ends with the result of its task', async (test) => {
  const killed = await Server.start();
  const caller = await connect('client 2.x', killed.mcpUrl, { mode: 'auto' });
  test.after(async () => {
    await caller.vanish();
    await killed.remove();
  });
  let call;
  await new Promise((resolve) => { // until it could be resumed
    call = caller.callRaw('session_message', { message: 'slow 60s list', wait: true, workspace: killed.workspace },
      { onresumptiontoken: resolve });
    call.catch(() => {}); // its failure is expected below
  });
  await killed.kill();
  await killed.start();
  await assert.rejects(call, /"status\\?":\\?"error.*Oriel ended while the agent worked/);
});
