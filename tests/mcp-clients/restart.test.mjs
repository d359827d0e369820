// Restarts the server fifty times at random moments of working tasks, half of them by SIGKILL, and has it taken over ten times: the
// clients of both SDKs keep their MCP sessions, each gets exactly the events that polling returns, and each call one result.
//   ORIEL_SEED=N   repeats the run with seed N, as far as timing allows

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, SESSION_SDKS } from './lib/clients.mjs';
import { assertReceived, storedEvents } from './lib/events.mjs';
import { seededRandom } from '../support/random.mjs';
import { Server } from '../support/server.mjs';
import { until } from '../support/until.mjs';

const SEED = Number(process.env.ORIEL_SEED ?? Math.floor(Math.random() * 2 ** 31));
const RESTARTS = 25; // with the clients of each SDK
const TAKEOVERS = 5; // with the clients of each SDK
const MAX_WORK = 400; // ms from the message to the restart

const send = (client, args) => client.client.callTool({ name: 'session_message', arguments: args });
// What the client is told whose message comes too late.
const isTooLate = ({ content }) => content[0].text === 'Oriel is stopping; retry after the restart';

// Resolves with the result of the call. Repeats it if the message came too late.
async function resultOnce(client, args) {
  return until(async () => {
    const result = await send(client, args);
    return !isTooLate(result) && result;
  }, `a result of ${JSON.stringify(args)}`);
}

// The same, and repeats the call also when the connection failed before the server had accepted it.
async function resultOf(client, args, failures) {
  const repeat = async () => {
    try {
      return { result: await resultOnce(client, args) };
    } catch (error) {
      assert.match(`${error.message} ${error.cause?.message ?? ''}`, /fetch failed|terminated|ECONNREFUSED|socket|closed/i);
      failures.push(error.message);
      return false;
    }
  };
  return (await until(repeat, `a result of ${JSON.stringify(args)}`)).result;
}

// Sends messages that wait for their tasks, `count` times, each with a `restart` while it works. `resultOf` calls session_message.
// Fails unless each task has one completion, each call one result, and each client all events.
async function workThroughRestarts(test, { sdk, server, count, restart, resultOf }) {
  const open = () => connect(sdk, server.mcpUrl, { level: 'debug' });
  const [sender, watcher] = [await open(), await open()];
  test.after(() => Promise.all([sender, watcher].map((client) => client.vanish())));

  const { session_id } = await sender.call('session_message', { message: 'help', workspace: server.workspace, wait: true });
  const before = await storedEvents(watcher, session_id);
  await watcher.call('session_watch', { session_id });

  for (let i = 0; i < count; ++i) {
    const result = resultOf(sender, { session_id, message: 'slowly list', wait: true, request_id: `task-${i}` });
    await restart(i);
    const { structuredContent, content } = await result;
    assert.equal(structuredContent?.session_id, session_id, JSON.stringify(content));
    assert.match(structuredContent.status, /^(completed|cancelled|error)$/);
  }
  const last = await resultOf(sender, { session_id, message: 'help', wait: true, request_id: 'last' });
  assert.equal(last.structuredContent.status, 'completed');

  const polling = await connect(sdk, server.mcpUrl);
  const isComplete = async () => {
    const events = await storedEvents(polling, session_id);
    return events.filter((event) => event.type === 'completion').length === count + 2 && events;
  };
  const events = await until(isComplete, 'each task has one completion');
  await polling.end();
  await assertReceived(sender, events);
  await assertReceived(watcher, events.slice(before.length));
  test.diagnostic(`${events.length} events`);
}

for (const [number, sdk] of SESSION_SDKS.entries()) {
  const begin = async (test, seed) => {
    test.diagnostic(`seed ${SEED}`);
    const random = seededRandom(seed);
    const server = await Server.start(['--mcp-retry', '100ms']);
    test.after(() => server.remove());
    return { server, work: () => sleep(random() * MAX_WORK) };
  };

  it(`R-DURABLE-1 R-DURABLE-2 R-DURABLE-3 ${sdk}: restarts lose nothing, repeat nothing and end no call`, { timeout: 300_000 }, async (test) => {
    const { server, work } = await begin(test, SEED + number);
    const failures = [];
    const restart = async (i) => {
      await work();
      await (i % 2 ? server.stop() : server.kill());
      await server.start();
    };
    const repeated = (client, args) => resultOf(client, args, failures);
    await workThroughRestarts(test, { sdk, server, count: RESTARTS, restart, resultOf: repeated });
    test.diagnostic(`${failures.length} calls repeated after a failed connection`);
  });

  it(`R-DURABLE-4 ${sdk}: takeovers refuse no connection, lose nothing and repeat nothing`, { timeout: 300_000 }, async (test) => {
    const { server, work } = await begin(test, SEED + SESSION_SDKS.length + number);
    const restart = async () => {
      await work();
      await server.takeOver();
    };
    await workThroughRestarts(test, { sdk, server, count: TAKEOVERS, restart, resultOf: resultOnce });
  });
}
