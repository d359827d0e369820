// The module against the real server, through proxies that cut, stall, truncate, refuse and answer 503, while the server is
// killed and started again: in the end each client has exactly what the journal has.
//   ORIEL_SEED=N   repeats the run whose seed was N, as far as time allows

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { openStream } from '../../build/web/oriel.js';
import { chance } from '../mcp-clients/lib/cutting_proxy.mjs';
import { until } from '../mcp-clients/lib/until.mjs';
import { startHostileProxy } from './lib/hostile_proxy.mjs';
import { readJournal, startPublishing } from './lib/journal.mjs';
import { Oriel } from './lib/oriel.mjs';

const SEED = Number(process.env.ORIEL_SEED ?? Math.floor(Math.random() * 2 ** 31));
const ACTS = 14; // of each proxy
const FILTERS = [
  { options: {}, passes: () => true },
  { options: { types: ['note'] }, passes: ({ type }) => type === 'note' },
  {
    options: { projectIds: ['shop'], types: ['build', 'deploy'] },
    passes: ({ type, project_id }) => project_id === 'shop' && ['build', 'deploy'].includes(type),
  },
];

const unhandled = [];
process.on('unhandledRejection', (error) => unhandled.push(error));

let oriel;
before(async () => { oriel = await Oriel.start(['--heartbeat', '200ms', '--retry', '10ms']); });
after(() => oriel.remove());

async function open(test, seed, { options, passes }) {
  const proxy = await startHostileProxy(oriel.url, { seed, acts: ACTS });
  const stream = openStream({ baseUrl: proxy.url, after: '0', minDelay: 5, maxDelay: 100, deadAfter: 700, connectTimeout: 700, ...options });
  const client = { proxy, stream, passes, events: [], gaps: [], reasons: new Set() };
  stream.onEvents((events) => client.events.push(...events));
  stream.onGap((gap) => client.gaps.push(gap));
  stream.onState((state) => state.reason && client.reasons.add(state.reason));
  test.after(() => {
    stream.close();
    proxy.stop();
  });
  return client;
}

const told = ({ id, sequence, event, ...data }) => [id, event, JSON.stringify(data)];

it('R-PAGE-1: through cuts, stalls, truncated frames, 503s and kill -9 every client has exactly the journal, in order', { timeout: 120_000 }, async (test) => {
  test.diagnostic(`seed ${SEED}`);
  const clients = await Promise.all([0, 1, 2, 3, 4, 5].map((place) => open(test, SEED + place, FILTERS[place % FILTERS.length])));
  const publisher = startPublishing(oriel.url, chance(SEED + 99));
  test.after(() => publisher.stop());
  for (let kills = 0; kills < 2; ++kills) {
    const enough = publisher.ids.length + 400;
    await until(() => publisher.ids.length > enough, 'events are published');
    await oriel.kill();
    await oriel.restart();
  }
  await until(() => clients.every(({ proxy }) => proxy.isDone()), 'the proxies have done their worst', 60_000);
  await publisher.stop();

  const journal = await readJournal(oriel.url);
  const held = new Set(journal.map(([id]) => id));
  assert.deepEqual(publisher.ids.filter((id) => !held.has(id)), [], 'what was stored is held');
  for (const { events, gaps, passes } of clients) {
    const expected = journal.filter(([, , data]) => passes(JSON.parse(data)));
    await until(() => events.length >= expected.length, 'it has caught up');
    assert.deepEqual(events.map(told), expected);
    assert.deepEqual(gaps, []);
  }
  const reasons = new Set(clients.flatMap((client) => [...client.reasons]));
  test.diagnostic(`${journal.length} events; ${[...reasons].join('; ')}`);
  for (const reason of [/all places are taken/, /has ended/, /no sign of life/]) assert.ok([...reasons].some((text) => reason.test(text)), `${reason}`);
  assert.deepEqual(unhandled, []);
});
