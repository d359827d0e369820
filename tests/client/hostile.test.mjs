// The client module against the real server, through proxies that cut, stall, truncate, reset and answer 503 while the server is
// killed and restarted: each client ends up with exactly the journal.
//   ORIEL_SEED=N   repeats the run with seed N, as far as timing allows

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { openStream } from '../../build/web/oriel.js';
import { seededRandom } from '../support/random.mjs';
import { until } from '../support/until.mjs';
import { CuttingProxy, FAULTS } from '../support/cutting_proxy.mjs';
import { readJournal, startPublishing } from './lib/journal.mjs';
import { Server } from '../support/server.mjs';

const SEED = Number(process.env.ORIEL_SEED ?? Math.floor(Math.random() * 2 ** 31));
const FAULT_COUNT = 14; // of each proxy
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

let server;
before(async () => { server = await Server.start(['--heartbeat', '200ms', '--retry', '10ms']); });
after(() => server.remove());

async function open(test, seed, { options, passes }) {
  const proxy = await CuttingProxy.start(server.url, { seed, faults: FAULTS, count: FAULT_COUNT });
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

const asStored = ({ id, sequence, event, ...data }) => [id, event, JSON.stringify(data)];

it('R-PAGE-1: despite cuts, stalls, truncated frames, 503s and kill -9 every client has exactly the journal, in order', { timeout: 120_000 }, async (test) => {
  test.diagnostic(`seed ${SEED}`);
  const clients = await Promise.all([0, 1, 2, 3, 4, 5].map((i) => open(test, SEED + i, FILTERS[i % FILTERS.length])));
  const publisher = startPublishing(server.url, seededRandom(SEED + 99));
  test.after(() => publisher.stop());
  for (let kills = 0; kills < 2; ++kills) {
    const enough = publisher.ids.length + 400;
    await until(() => publisher.ids.length > enough, 'events are published');
    await server.kill();
    await server.start();
  }
  await until(() => clients.every(({ proxy }) => proxy.isExhausted), 'all faults have happened', 60_000);
  await publisher.stop();

  const journal = await readJournal(server.url);
  const stored = new Set(journal.map(([id]) => id));
  assert.deepEqual(publisher.ids.filter((id) => !stored.has(id)), [], 'every confirmed event is stored');
  for (const { events, gaps, passes } of clients) {
    const expected = journal.filter(([, , data]) => passes(JSON.parse(data)));
    await until(() => events.length >= expected.length, 'the client has caught up');
    assert.deepEqual(events.map(asStored), expected);
    assert.deepEqual(gaps, []);
  }
  const reasons = new Set(clients.flatMap((client) => [...client.reasons]));
  test.diagnostic(`${journal.length} events; ${[...reasons].join('; ')}`);
  for (const reason of [/too many clients/, /connection ended/, /no data/]) assert.ok([...reasons].some((text) => reason.test(text)), `${reason}`);
  assert.deepEqual(unhandled, []);
});
