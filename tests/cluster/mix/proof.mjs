// Three nodes under load and faults. Then nothing is lost, doubled or different anywhere.
//
//   ORIEL_CLUSTER_SEED=N               repeats the choices of a run, though not what they meet
//   ORIEL_CLUSTER_MINUTES, _SESSIONS, _WATCHERS, _MCP_WATCHERS   other numbers than those of the test

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../support/random.mjs';
import { until } from '../../support/until.mjs';
import { Cluster } from '../cluster.mjs';
import { Faults } from './faults.mjs';
import { Load } from './load.mjs';

const PUBLISHERS = 4;
const SETTLE = 180_000; // ms
const INTERRUPTED = /was lost|Oriel ended/;

const numberOf = (name, otherwise) => Number(process.env[`ORIEL_CLUSTER_${name}`] ?? otherwise);

export const SEED = numberOf('SEED', Math.floor(Math.random() * 2 ** 31));

export class Proof {
  #test;
  #cluster;
  #load;
  #faults;

  constructor(test) {
    this.#test = test;
  }

  // `faults`: as Faults.run() takes them.
  async run({ minutes, sessions, watchers, mcpWatchers, faults }) {
    const random = seededRandom(SEED);
    this.#cluster = await Cluster.start(['a', 'b', 'c']);
    this.#load = new Load(this.#cluster, random);
    this.#faults = new Faults(this.#cluster, random, this.#test);
    const started = Date.now();
    await this.#load.start({
      sessions: numberOf('SESSIONS', sessions),
      watchers: numberOf('WATCHERS', watchers),
      mcpWatchers: numberOf('MCP_WATCHERS', mcpWatchers),
      publishers: PUBLISHERS,
    });
    this.#test.diagnostic(`the load has started after ${Math.round((Date.now() - started) / 1000)} s`);
    await this.#faults.run(numberOf('MINUTES', minutes) * 60_000, this.#load, faults);
    const working = Date.now() - started;
    await this.#load.stop();
    await this.#faults.heal();
    await this.#load.finishSessions(SETTLE);
    await this.#judge(working);
  }

  async end() {
    await this.#load?.stop();
    await this.#load?.closeWatchers();
    await this.#cluster?.remove();
  }

  async #judge(working) {
    const { nodes } = this.#cluster;
    const head = await this.#settledHead();
    const histories = await Promise.all(nodes.map((node) => historyOf(node, head)));
    const frames = histories[0];
    for (const [i, history] of histories.entries()) {
      assert.equal(history.length, frames.length, `${nodes[i].name} and ${nodes[0].name}`);
      const k = history.findIndex((frame, at) => frame !== frames[at]);
      assert.equal(k, -1, `event ${k} of ${nodes[i].name} and ${nodes[0].name}: ${history[k]} and ${frames[k]}`);
    }
    await this.#agree();
    const events = frames.map(eventOf);
    this.#judgePublished(events);
    const interrupted = this.#judgeTasks(events);
    await this.#judgeWatchers(events);
    const pushes = await this.#judgeMcpWatchers(events);

    const load = this.#load;
    const moves = [...load.watchers, ...load.mcpWatchers].reduce((sum, each) => sum + each.moves, 0);
    const delivered = load.watchers.reduce((sum, { sequences }) => sum + sequences.length, 0);
    this.#test.diagnostic(`seed ${SEED}, ${Math.round(working / 1000)} s: ${events.length} events, ` +
      `${load.acknowledged.size} published and acknowledged, ${load.refused.size} refused; ${load.sessions.length} sessions, ` +
      `${load.tasks.size} tasks, ${interrupted} interrupted; ${load.watchers.length} watchers, ${delivered} deliveries; ` +
      `${load.mcpWatchers.length} MCP watchers, ${pushes.pushed} pushes, ${pushes.repeated} repeated; ${moves} moves`);
    this.#test.diagnostic(`faults: ${this.#faults.done.join(', ')}`);
  }

  // The newest sequence, once all nodes have it and nothing happens any more.
  async #settledHead() {
    let last;
    await until(async () => {
      const heads = await Promise.all(this.#cluster.nodes.map(async ({ api }) => (await api.health()).journal.head));
      const isSettled = new Set(heads).size === 1 && heads[0] === last;
      last = heads[0];
      if (!isSettled) await sleep(1000);
      return isSettled;
    }, 'all nodes have the same events', SETTLE);
    return last;
  }

  // The nodes have the same chain of entries, so the same documents, too.
  #agree() {
    return until(async () => {
      const seen = await Promise.all(this.#cluster.nodes.map(({ api }) => api.cluster()));
      const others = seen.flatMap(({ nodes }) => nodes).filter(({ self }) => !self);
      return others.length > 0 && others.every(({ chain_agreed }) => chain_agreed);
    }, 'all nodes agree on the chain', SETTLE);
  }

  // What was acknowledged is there once, under its sequence; what was refused is not.
  #judgePublished(events) {
    const published = new Map();
    for (const { sequence, type, text } of events) {
      if (type !== 'mixed') continue;
      assert.ok(!published.has(text), `${text} is there twice`);
      published.set(text, sequence);
    }
    assert.ok(this.#load.acknowledged.size > 0, 'events were acknowledged');
    for (const [text, sequence] of this.#load.acknowledged) assert.equal(published.get(text), sequence, `${text} was acknowledged`);
    for (const text of this.#load.refused) assert.ok(!published.has(text), `${text} was refused`);
  }

  // Every task has ended once, and those of lost nodes as interrupted. Returns how many were interrupted.
  #judgeTasks(events) {
    const ends = new Map();
    for (const { type, session_id, task_id, data } of events) {
      if (type !== 'completion') continue;
      const key = `${session_id} ${task_id}`;
      ends.set(key, [...ends.get(key) ?? [], data]);
    }
    for (const [task, datas] of ends) assert.equal(datas.length, 1, `${task} ended as ${JSON.stringify(datas)}`);
    for (const task of this.#load.tasks) assert.ok(ends.has(task), `${task} has ended`);
    const { interrupted } = this.#faults;
    for (const task of interrupted) assert.match(ends.get(task)?.[0].detail ?? 'not at all', INTERRUPTED, `${task} was interrupted`);
    return [...ends.values()].filter(([{ detail }]) => INTERRUPTED.test(detail ?? '')).length;
  }

  async #judgeWatchers(events) {
    for (const watcher of this.#load.watchers) {
      const expected = events.filter((event) => watcher.wants(event)).map(({ sequence }) => sequence);
      await until(() => watcher.sequences.length >= expected.length,
        () => `${watcher.name} has ${watcher.sequences.length} of ${expected.length} events`, SETTLE);
      watcher.close();
      assert.ok(watcher.sequences.length === expected.length && watcher.sequences.every((sequence, i) => sequence === expected[i]),
        `${watcher.name} after ${watcher.moves} moves: ${difference(watcher.sequences, expected)}`);
      assert.deepEqual(watcher.gaps, []);
    }
    for (const { sequence, text = '' } of events) assert.equal(this.#load.texts.get(sequence) ?? text, text, `event ${sequence}`);
  }

  // Each event after the watch began, once and in order. A client that was cut off before it had the id of any event of its stream
  // cannot say where it was, and gets the same messages again: these are counted.
  async #judgeMcpWatchers(events) {
    let pushed = 0;
    let repeated = 0;
    for (const watcher of this.#load.mcpWatchers) {
      for (const [session, last] of watcher.watched) {
        const stored = events.filter(({ session_id }) => session_id === session);
        const newest = stored.length - 1;
        const indexes = () => watcher.pushesOf(session).map(({ _meta }) => _meta['oriel/index']);
        await until(() => Math.max(last, ...indexes()) >= newest,
          () => `${watcher.name} has ${session} up to ${Math.max(...indexes())} of ${newest}`, SETTLE);
        // What happened while the call was answered may be pushed as well.
        let next = Math.min(last + 1, ...indexes().slice(0, 1));
        const byIndex = new Map();
        for (const { data, _meta } of watcher.pushesOf(session)) {
          const index = _meta['oriel/index'];
          const event = JSON.stringify(data);
          if (byIndex.has(index)) {
            assert.equal(byIndex.get(index), event, `${watcher.name}: ${session} ${index} came again`);
            ++repeated;
            continue;
          }
          assert.equal(index, next++, `${watcher.name}: the next event of ${session}`);
          assert.equal(_meta['oriel/sequence'], stored[index].sequence);
          assert.equal(data.text, stored[index].text);
          byIndex.set(index, event);
        }
        pushed += byIndex.size;
      }
      assert.deepEqual(watcher.gaps, []);
      await watcher.close();
    }
    return { pushed, repeated };
  }
}

// The bytes of all events of this node's journal.
async function historyOf(node, head) {
  const stream = new AbortController();
  const timer = setTimeout(() => stream.abort(), SETTLE);
  const headers = { Accept: 'text/event-stream', 'Last-Event-ID': '0' };
  const response = await fetch(`${node.server.url}/api/events`, { headers, signal: stream.signal });
  assert.equal(response.status, 200);
  const frames = [];
  let text = '';
  for await (const bytes of response.body.pipeThrough(new TextDecoderStream())) {
    text += bytes;
    const blocks = text.split('\n\n');
    text = blocks.pop();
    for (const block of blocks) {
      assert.doesNotMatch(block, /^event: ?gap$/m, `${node.name} has a gap`);
      if (/^id: ?\d/m.test(block) && !/^event: ?(hello|bye)$/m.test(block)) frames.push(block);
    }
    if (frames.length > 0 && sequenceOf(frames.at(-1)) >= head) break;
  }
  clearTimeout(timer);
  stream.abort();
  return frames;
}

const sequenceOf = (frame) => Number(/^id: ?(\d+)/m.exec(frame)[1]);

function eventOf(frame) {
  return { sequence: sequenceOf(frame), ...JSON.parse(/^data: ?(.*)$/m.exec(frame)[1]) };
}

function difference(seen, expected) {
  const at = expected.findIndex((sequence, i) => sequence !== seen[i]);
  return `${seen.length} events, ${expected.length} expected; at ${at}: ${seen.slice(at, at + 3)} instead of ${expected.slice(at, at + 3)}`;
}
