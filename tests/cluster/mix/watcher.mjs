// Watches from the first event on, and moves between nodes with its cursor.

import { openStream } from '../../../build/web/oriel.js';

// Every second watcher watches one session.
const FILTERS = [{}, 'session', { types: ['mixed'] }, 'session', { sessionIds: ['p0', 'p1'] }, 'session'];

export class Watcher {
  sequences = []; // of the events, in order of arrival
  gaps = [];
  moves = 0;
  name;
  #filter;
  #texts;
  #stream;

  // `session`: the session that it may watch. `texts`: what each event says, by sequence, as any watcher has seen it first.
  constructor(number, node, session, texts) {
    this.name = `watcher ${number}`;
    const filter = FILTERS[number % FILTERS.length];
    this.#filter = filter === 'session' ? { sessionIds: [session] } : filter;
    this.#texts = texts;
    this.#watch(node, '0');
  }

  wants({ type, session_id }) {
    const { types, sessionIds } = this.#filter;
    return (types?.includes(type) ?? true) && (sessionIds?.includes(session_id) ?? true);
  }

  moveTo(node) {
    this.close();
    ++this.moves;
    this.#watch(node, this.#stream.cursor);
  }

  close() {
    this.#stream.close();
  }

  #watch(node, after) {
    const stream = openStream({ baseUrl: node.server.url, after, shared: false, maxDelay: 1000, ...this.#filter });
    stream.onEvents((events) => events.forEach((event) => this.#take(event)));
    stream.onGap((gap) => this.gaps.push({ node: node.name, after, ...gap }));
    this.#stream = stream;
  }

  #take({ sequence, text = '' }) {
    if (!this.#texts.has(sequence)) this.#texts.set(sequence, text);
    // What differs is none of the sequences that it should have.
    this.sequences.push(this.#texts.get(sequence) === text ? sequence : `${sequence} ${text}`);
  }
}
