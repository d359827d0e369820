// A hundred cuts of the connection at random points, while an agent floods: both SDKs come back by themselves, and in the end
// every client has exactly what polling shows.
//   ORIEL_SEED=N   repeats the run whose seed was N, as far as time allows

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { connect, SESSION_SDKS } from './lib/clients.mjs';
import { startCuttingProxy } from './lib/cutting_proxy.mjs';
import { assertInOrder, assertWasSent, eventsAfterTurns } from './lib/events.mjs';
import { startOriel } from './lib/oriel.mjs';
import { until } from './lib/until.mjs';

const SEED = Number(process.env.ORIEL_SEED ?? Math.floor(Math.random() * 2 ** 31));
const CLIENTS = 5; // of each SDK, on one session: with their cuts a hundred in all
const CUTS = 10; // of each
const BYTES = 60_000; // of a stream between two cuts, at most
const TURNS = 60; // at most

let oriel;
before(async () => { oriel = await startOriel(['--mcp-retry', '200ms']); });
after(() => oriel.stop());

async function openThroughCuts(sdk, seed) {
  const proxy = await startCuttingProxy(oriel.url, { seed, cuts: CUTS, most: BYTES });
  return { proxy, ...await connect(sdk, proxy.url, { level: 'debug' }) };
}

for (const [number, sdk] of SESSION_SDKS.entries()) {
  it(`R-RESUME-1 R-RESUME-4 ${sdk}: fifty cuts lose nothing and repeat nothing`, { timeout: 180_000 }, async (test) => {
    test.diagnostic(`seed ${SEED}`);
    const seeds = Array.from({ length: CLIENTS }, (_, place) => SEED + number * CLIENTS + place);
    const clients = await Promise.all(seeds.map((seed) => openThroughCuts(sdk, seed)));
    test.after(async () => {
      for (const client of clients) client.proxy.stop();
      await Promise.all(clients.map((client) => client.vanish()));
    });
    const observer = await connect(sdk, oriel.url);
    test.after(() => observer.end());

    const [speaker, ...watchers] = clients;
    const { session_id } = await speaker.call('session_message', { message: 'help', workspace: oriel.workspace });
    const first = await eventsAfterTurns(observer, session_id, 1);
    for (const watcher of watchers) await watcher.call('session_watch', { session_id });

    let turns = 1;
    const isDone = () => clients.every((client) => client.proxy.made() === CUTS);
    for (; turns < TURNS && !isDone(); ++turns) {
      // In turn on the speaker's standalone stream and on the stream of the call, which are cut alike.
      const wait = turns % 2 === 0;
      const { text } = await speaker.call('session_message', { session_id, message: 'flood 200', wait });
      if (wait) assert.match(text, /\S/);
      const { index } = (await eventsAfterTurns(observer, session_id, turns + 1)).at(-1);
      const hasCaughtUp = (client) => Math.max(...client.indices()) >= index;
      await until(() => isDone() || clients.every(hasCaughtUp), 'all clients have caught up');
    }
    const events = await eventsAfterTurns(observer, session_id, turns);
    await assertWasSent(speaker, events);
    for (const watcher of watchers) {
      await assertWasSent(watcher, events.slice(first.length));
      assertInOrder(watcher);
    }
    test.diagnostic(`${turns} turns, ${events.length} events, cuts: ${clients.map((client) => client.proxy.made()).join(' ')}`);
    assert.ok(isDone(), 'there were fewer cuts than wanted');
  });
}
