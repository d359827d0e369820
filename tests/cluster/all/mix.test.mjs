// Everything at once: sessions, publishers, and watchers that move between the nodes, while nodes and their NATS server are
// killed, frozen, stopped and wiped. Then nothing is lost, doubled or different anywhere.
//
//   ORIEL_CLUSTER_MINUTES=5 ORIEL_CLUSTER_SESSIONS=200 ORIEL_CLUSTER_WATCHERS=300 script/test cluster tests/cluster/all/mix.test.mjs
//
// ORIEL_CLUSTER_SEED repeats the choices of a run, though not what they meet.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStream } from '../../../build/web/oriel.js';
import { seededRandom } from '../../support/random.mjs';
import { until } from '../../support/until.mjs';
import { Cluster } from '../cluster.mjs';
import { Load } from '../mix/load.mjs';
import { Faults } from '../mix/faults.mjs';

const numberOf = (name, otherwise) => Number(process.env[`ORIEL_CLUSTER_${name}`] ?? otherwise);
const SEED = numberOf('SEED', Math.floor(Math.random() * 2 ** 31));
const MS = numberOf('MINUTES', 0.75) * 60_000;
const SESSIONS = numberOf('SESSIONS', 12);
const WATCHERS = numberOf('WATCHERS', 30);
const PUBLISHERS = 4;
const SETTLE = 120_000; // ms

let cluster;
let load;
after(async () => {
  await load?.stop();
  for (const watcher of load?.watchers ?? []) watcher.close();
  await cluster?.remove();
});

// All events of this node's journal.
async function historyOf(node, head) {
  const events = [];
  const stream = openStream({ baseUrl: node.server.url, after: '0', shared: false });
  stream.onEvents((batch) => events.push(...batch));
  stream.onGap((gap) => assert.fail(`${node.name}: a gap of ${gap.missed}`));
  try {
    await until(() => events.at(-1)?.sequence >= head, () => `${node.name} delivers ${head} events, not ${events.length}`, SETTLE);
  } finally {
    stream.close();
  }
  return events;
}

const headOf = async (node) => (await node.api.health()).journal.head;

// The newest sequence, once all nodes have it and nothing happens any more.
async function settledHead() {
  let last;
  await until(async () => {
    const heads = await Promise.all(cluster.nodes.map(headOf));
    const isSettled = new Set(heads).size === 1 && heads[0] === last;
    last = heads[0];
    if (!isSettled) await sleep(1000);
    return isSettled;
  }, 'all nodes have the same events', SETTLE);
  return last;
}

// How often each task ended, by session and task.
function endsOf(events) {
  const ends = new Map();
  for (const { type, session_id, task_id, data } of events) {
    if (type !== 'completion') continue;
    const key = `${session_id} ${task_id}`;
    ends.set(key, [...ends.get(key) ?? [], data]);
  }
  return ends;
}

it(`R-CLUSTER-2, 3, 4, 6, 7: whatever fails, all nodes and watchers agree and nothing acknowledged is lost (seed ${SEED})`, async (test) => {
  const random = seededRandom(SEED);
  cluster = await Cluster.start(['a', 'b', 'c']);
  load = new Load(cluster, random);
  const faults = new Faults(cluster, random, test);
  await load.start({ sessions: SESSIONS, publishers: PUBLISHERS, watchers: WATCHERS });
  await faults.run(MS, load);
  await load.stop();
  await faults.heal();
  await load.finishSessions(SETTLE);

  const head = await settledHead();
  const histories = await Promise.all(cluster.nodes.map((node) => historyOf(node, head)));
  const [events] = histories;
  const nodes = cluster.nodes;
  for (const [i, history] of histories.entries()) {
    assert.equal(history.length, events.length, `${nodes[i].name} and ${nodes[0].name}`);
    for (const [k, event] of history.entries()) assert.deepEqual(event, events[k], `event ${k} of ${nodes[i].name} and ${nodes[0].name}`);
  }

  const published = new Map();
  for (const { sequence, type, text } of events) {
    if (type !== 'mixed') continue;
    assert.ok(!published.has(text), `${text} is there twice`);
    published.set(text, sequence);
  }
  for (const [text, sequence] of load.acknowledged) assert.equal(published.get(text), sequence, `${text} was acknowledged`);
  for (const text of load.refused) assert.ok(!published.has(text), `${text} was refused`);

  const ends = endsOf(events);
  for (const [task, datas] of ends) assert.equal(datas.length, 1, `${task} ended as ${JSON.stringify(datas)}`);
  for (const task of load.tasks) assert.ok(ends.has(task), `${task} has ended`);
  for (const task of faults.interrupted) assert.match(ends.get(task)?.[0].detail ?? 'not at all', /was lost|Oriel ended/, `${task} was interrupted`);

  for (const watcher of load.watchers) {
    const expected = events.filter((event) => watcher.wants(event)).map(({ sequence, text }) => `${sequence} ${text}`);
    await until(() => watcher.seen.length >= expected.length, () => `watcher ${watcher.number} has ${watcher.seen.length} of ${expected.length} events`, SETTLE);
    watcher.close();
    assert.deepEqual(watcher.seen, expected, `watcher ${watcher.number} after ${watcher.moves} moves`);
    assert.deepEqual(watcher.gaps, []);
  }
  test.diagnostic(`${events.length} events, ${load.acknowledged.size} published and acknowledged, ${load.refused.size} refused, ` +
    `${ends.size} tasks, ${faults.interrupted.size} of them interrupted, ${load.watchers.length} watchers, ` +
    `${load.watchers.reduce((sum, { moves }) => sum + moves, 0)} moves; faults: ${faults.done.join(', ')}`);
});
