// Work for a cluster: sessions with messages, publishers, and watchers that move between the nodes.

import { setTimeout as sleep } from 'node:timers/promises';
import { OrielApi } from '../../../build/web/oriel.js';
import { until } from '../../support/until.mjs';
import { McpWatcher } from './mcp_watcher.mjs';
import { Watcher } from './watcher.mjs';

const MESSAGES = ['help', 'list', 'count', 'slow 2s list']; // the longest takes some seconds
// These answers say that nothing was stored. Any other failure leaves it open.
const REFUSALS = ['journal_failed', 'journal_busy', 'starting'];
const DRIVERS = 4;
const WATCHED = 5; // sessions of an MCP client
const MIN_MOVE_INTERVAL = 40; // ms
const AT_WORK = ['commanded', 'processing', 'awaiting_input'];

export class Load {
  acknowledged = new Map(); // sequences of published texts
  refused = new Set();
  tasks = new Set(); // "session task" of acknowledged messages
  texts = new Map(); // of all events that watchers have seen, by sequence
  watchers = [];
  mcpWatchers = [];
  sessions = [];
  #cluster;
  #random;
  #loops = [];
  #isOver = false;

  constructor(cluster, random) {
    this.#cluster = cluster;
    this.#random = random;
  }

  async start({ sessions, publishers, watchers, mcpWatchers }) {
    const left = Array.from({ length: sessions }, (_, i) => i);
    const startAll = async () => {
      while (left.length > 0) await this.#startSession(left.pop());
    };
    await Promise.all(Array.from({ length: DRIVERS }, startAll));
    this.watchers = Array.from({ length: watchers }, (_, i) => new Watcher(i, this.#node(), this.sessions[i % sessions], this.texts));
    for (let i = 0; i < mcpWatchers; ++i) {
      const watched = new Set(Array.from({ length: WATCHED }, () => this.#pick(this.sessions)));
      this.mcpWatchers.push(new McpWatcher(i));
      await this.mcpWatchers.at(-1).start(this.#node(), watched);
    }
    for (let i = 0; i < publishers; ++i) this.#loop((n) => this.#publish(i, n));
    for (let i = 0; i < DRIVERS; ++i) this.#loop(() => this.#sendMessage());
    this.#loop(() => this.#moveWatcher());
  }

  // Resolves when nothing more is sent.
  async stop() {
    this.#isOver = true;
    await Promise.all(this.#loops);
  }

  async closeWatchers() {
    for (const watcher of [...this.watchers, ...this.mcpWatchers]) await watcher.close();
  }

  // Resolves when no session is at work, as every node shows it.
  async finishSessions(timeout) {
    const nodes = this.#cluster.nodes;
    const busyOn = async ({ name, api }) => (await api.sessions({ limit: 1000 })).sessions
      .filter(({ state }) => AT_WORK.includes(state)).map(({ session_id, state, node }) => `${name} shows ${session_id} of ${node} as ${state}`);
    let busy;
    const isIdle = async () => {
      busy = (await Promise.all(nodes.map(busyOn))).flat();
      return busy.length === 0;
    };
    await until(isIdle, () => `every session has ended its work, but ${busy.join()}`, timeout);
  }

  // Notes a task that must end once.
  async begin(node, message) {
    const { session, task_id } = await node.api.start({ agent: 'demo', workspace: node.server.workspace, message });
    this.tasks.add(`${session.session_id} ${task_id}`);
    return { id: session.session_id, task: `${session.session_id} ${task_id}` };
  }

  async #startSession(number) {
    const node = this.#cluster.nodes[number % this.#cluster.nodes.length];
    const { id } = await this.begin(node, 'help');
    this.sessions.push(id);
  }

  #loop(work) {
    const run = async () => {
      for (let n = 0; !this.#isOver; ++n) await work(n);
    };
    this.#loops.push(run());
  }

  #pick(list) {
    return list[Math.floor(this.#random() * list.length)];
  }

  #node() {
    return this.#pick(this.#cluster.nodes);
  }

  // With a deadline, because the node may be frozen.
  #api(node) {
    return new OrielApi({ baseUrl: node.server.url, timeout: 5000 });
  }

  async #publish(publisher, n) {
    const text = `${publisher}-${n}`;
    try {
      const { sequence } = await this.#api(this.#node()).publish({ type: 'mixed', session_id: `p${publisher}`, text });
      this.acknowledged.set(text, sequence);
    } catch (failure) {
      if (REFUSALS.includes(failure.code)) this.refused.add(text);
    }
    await sleep(this.#random() * 40);
  }

  async #sendMessage() {
    const id = this.#pick(this.sessions);
    const api = this.#api(this.#node());
    try {
      const { state } = await api.session(id);
      if (!AT_WORK.includes(state)) this.tasks.add(`${id} ${(await api.message(id, this.#pick(MESSAGES))).task_id}`);
    } catch {
      // Its node is away, or it was taken over meanwhile.
    }
    await sleep(100 + this.#random() * 400);
  }

  async #moveWatcher() {
    const all = [...this.watchers, ...this.mcpWatchers];
    this.#pick(all).moveTo(this.#node());
    await sleep(Math.max(MIN_MOVE_INTERVAL, 6000 / all.length));
  }
}
