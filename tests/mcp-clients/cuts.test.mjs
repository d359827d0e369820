// Cuts connections a hundred times at random points under load: both SDKs reconnect by themselves, and every client ends up with
// exactly the events that polling returns.
//   ORIEL_SEED=N   repeats the run with seed N, as far as timing allows

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { connect, SESSION_SDKS } from './lib/clients.mjs';
import { CuttingProxy } from '../support/cutting_proxy.mjs';
import { assertInOrder, assertReceived, eventsAfterTasks } from './lib/events.mjs';
import { Server } from '../support/server.mjs';
import { until } from '../support/until.mjs';

const SEED = Number(process.env.ORIEL_SEED ?? Math.floor(Math.random() * 2 ** 31));
const CLIENTS = 5; // of each SDK, on one session
const CUTS = 10; // of each client
const MAX_BYTES = 60_000; // of a stream between two cuts
const MAX_TASKS = 60;
// The first event of a stream has an id and no data. By the protocol a client that is cut off before it cannot resume.
const FIRST_EVENT = 'data: \n\n';
const LINGER = 25; // ms; a reset discards what the client has not read yet

let server;
before(async () => { server = await Server.start(['--mcp-retry', '200ms']); });
after(() => server.remove());

async function openThroughCuts(sdk, seed) {
  const faults = { faults: ['cut'], count: CUTS, maxBytes: MAX_BYTES, marker: FIRST_EVENT, linger: LINGER };
  const proxy = await CuttingProxy.start(server.url, { seed, ...faults });
  return { proxy, ...await connect(sdk, `${proxy.url}/mcp`, { level: 'debug' }) };
}

for (const [number, sdk] of SESSION_SDKS.entries()) {
  it(`R-RESUME-1 R-RESUME-4 ${sdk}: fifty cuts lose nothing and repeat nothing`, { timeout: 180_000 }, async (test) => {
    test.diagnostic(`seed ${SEED}`);
    const seeds = Array.from({ length: CLIENTS }, (_, i) => SEED + number * CLIENTS + i);
    const clients = await Promise.all(seeds.map((seed) => openThroughCuts(sdk, seed)));
    test.after(async () => {
      for (const client of clients) client.proxy.stop();
      await Promise.all(clients.map((client) => client.vanish()));
    });
    const observer = await connect(sdk, server.mcpUrl);
    test.after(() => observer.end());

    const [sender, ...watchers] = clients;
    const { session_id } = await sender.call('session_message', { message: 'help', workspace: server.workspace });
    const first = await eventsAfterTasks(observer, session_id, 1);
    for (const watcher of watchers) await watcher.call('session_watch', { session_id });

    let tasks = 1;
    const isDone = () => clients.every((client) => client.proxy.isExhausted);
    for (; tasks < MAX_TASKS && !isDone(); ++tasks) {
      // Alternates between the sender's standalone stream and the stream of the call; both are cut.
      const wait = tasks % 2 === 0;
      const { text } = await sender.call('session_message', { session_id, message: 'babble 100', wait });
      if (wait) assert.match(text, /\S/);
      const { index } = (await eventsAfterTasks(observer, session_id, tasks + 1)).at(-1);
      const hasCaughtUp = (client) => Math.max(...client.indices()) >= index;
      await until(() => isDone() || clients.every(hasCaughtUp), 'all clients have caught up');
    }
    const events = await eventsAfterTasks(observer, session_id, tasks);
    await assertReceived(sender, events);
    for (const watcher of watchers) {
      await assertReceived(watcher, events.slice(first.length));
      assertInOrder(watcher);
    }
    test.diagnostic(`${tasks} tasks, ${events.length} events, cuts: ${clients.map((client) => client.proxy.faultsMade).join(' ')}`);
    assert.ok(isDone(), 'fewer cuts than planned');
  });
}
