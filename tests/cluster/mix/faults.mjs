// What goes wrong in a cluster, one after another. Nodes that end by themselves are started again, as a service manager does.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../support/until.mjs';
import { reaches } from '../cluster.mjs';

const SOON = 90_000; // ms; the machine may be busy
const NODE_TIMEOUT = 3000; // as cluster.mjs sets it
export const FAULTS = ['killNode', 'freezeNode', 'stopNode', 'wipeNode', 'killNats', 'freezeNats', 'blackout'];

export class Faults {
  done = [];
  interrupted = new Set(); // "session task" of work that a fault has ended
  #cluster;
  #random;
  #test;
  #load;
  #away = new Set(); // nodes that this has ended

  constructor(cluster, random, test) {
    this.#cluster = cluster;
    this.#random = random;
    this.#test = test;
    for (const node of cluster.nodes) this.#keepRunning(node);
  }

  // Each of these kinds of faults at least once, in random order, and again until the time is over. `every`: ms from the beginning
  // of one to the next, if the nodes are ready by then; 0: as soon as they are.
  async run(ms, load, { kinds = FAULTS, every = 0 } = {}) {
    this.#load = load;
    const end = Date.now() + ms;
    do {
      for (const kind of this.#shuffled(kinds)) {
        const next = Date.now() + every;
        const node = this.#cluster.nodes[Math.floor(this.#random() * this.#cluster.nodes.length)];
        this.#test.diagnostic(`${new Date().toISOString()} ${kind} ${kind.endsWith('Node') ? node.name : ''}`);
        await this[kind](node);
        this.done.push(kind);
        await this.heal();
        if (every === 0) await this.#pause(500, 2000);
        else await sleep(Math.max(0, next - Date.now()));
        if (Date.now() > end && this.done.length >= kinds.length) return;
      }
    } while (Date.now() < end);
  }

  // Resolves when every node is ready.
  async heal() {
    for (const node of this.#cluster.nodes) {
      const isReady = () => fetch(`${node.server.url}/ready`).then(({ ok }) => ok, () => false);
      await until(isReady, () => `${node.name} is ready:\n${node.server.log.slice(-3000)}`, SOON);
    }
  }

  async killNode(node) {
    const task = await this.#occupy(node);
    await this.#end(node, 'kill');
    await this.#pause(0, 2 * NODE_TIMEOUT);
    await this.#start(node);
    this.interrupted.add(task);
  }

  async freezeNode(node) {
    const task = await this.#occupy(node);
    node.server.freeze();
    await this.#pause(2 * NODE_TIMEOUT, 3 * NODE_TIMEOUT);
    node.server.thaw();
    this.interrupted.add(task);
  }

  async stopNode(node) {
    await this.#occupy(node);
    await this.#end(node, 'stop');
    await this.#pause(0, NODE_TIMEOUT);
    await this.#start(node);
  }

  async wipeNode(node) {
    const task = await this.#occupy(node);
    await this.#end(node, 'kill');
    node.server.wipe();
    await this.#start(node);
    this.interrupted.add(task);
  }

  async killNats() {
    await this.#cluster.nats.kill();
    await this.#pause(0, 6000);
    await this.#cluster.nats.restart();
  }

  async freezeNats() {
    this.#cluster.nats.freeze();
    await this.#pause(500, 6000);
    this.#cluster.nats.thaw();
  }

  // The node is back before its NATS server.
  async blackout(node) {
    const task = await this.#occupy(node);
    await this.#cluster.nats.kill();
    await this.#end(node, 'kill');
    await this.#start(node);
    await this.#cluster.nats.restart();
    this.interrupted.add(task);
  }

  // Gives the node work that does not end by itself.
  async #occupy(node) {
    const { id, task } = await this.#load.begin(node, 'slow 3000s help');
    for (const each of this.#cluster.nodes) await reaches(each, id, 'processing');
    return task;
  }

  async #end(node, how) {
    this.#away.add(node);
    await node.server[how]();
  }

  async #start(node) {
    await node.server.start();
    this.#away.delete(node);
    this.#keepRunning(node);
  }

  #keepRunning(node) {
    node.server.exited().then(async (code) => {
      if (this.#away.has(node) || this.#cluster.isRemoved) return;
      this.done.push(`${node.name} ended by itself (${code})`);
      assert.doesNotMatch(node.server.log, /differs from those of the others|Sanitizer/);
      await this.#start(node);
    });
  }

  #shuffled(list) {
    return list.map((item) => [this.#random(), item]).sort(([a], [b]) => a - b).map(([, item]) => item);
  }

  #pause(least, most) {
    return sleep(least + this.#random() * (most - least));
  }
}
