// Watches from the first event on, and moves between nodes with its cursor.

import { openStream } from '../../../build/web/oriel.js';

const FILTERS = [{}, { types: ['mixed'] }, { sessionIds: ['p0', 'p1'] }];

export class Watcher {
  seen = []; // "sequence text"
  gaps = [];
  moves = 0;
  number;
  #filter;
  #stream;

  constructor(number, node) {
    this.number = number;
    this.#filter = FILTERS[number % FILTERS.length];
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
    stream.onEvents((events) => this.seen.push(...events.map(({ sequence, text }) => `${sequence} ${text}`)));
    stream.onGap((gap) => this.gaps.push({ node: node.name, after, ...gap }));
    this.#stream = stream;
  }
}
