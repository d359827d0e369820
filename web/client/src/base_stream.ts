// The public side of a stream: its listeners, state and cursor.

import type { Cursor } from "./cursor";
import type { ConnectionState, EventStream, Gap, OrielEvent } from "./types";

// An exception of a listener affects neither the stream nor the other listeners.
class Listeners<T> {
  #all = new Set<{ listener: (value: T) => void }>();

  add(listener: (value: T) => void): () => void {
    const entry = { listener };
    this.#all.add(entry);
    return () => void this.#all.delete(entry);
  }

  notify(value: T): void {
    for (const { listener } of [...this.#all]) {
      try {
        listener(value);
      } catch (error) {
        console.error(error);
      }
    }
  }
}

export abstract class BaseStream implements EventStream {
  state: ConnectionState = { phase: "connecting" };
  cursor: Cursor;
  protected isClosed = false;
  #events = new Listeners<OrielEvent[]>();
  #states = new Listeners<ConnectionState>();
  #gaps = new Listeners<Gap>();

  constructor(cursor: Cursor) {
    this.cursor = cursor;
  }

  onEvents(listener: (events: OrielEvent[]) => void): () => void {
    return this.#events.add(listener);
  }

  onState(listener: (state: ConnectionState) => void): () => void {
    return this.#states.add(listener);
  }

  onGap(listener: (gap: Gap) => void): () => void {
    return this.#gaps.add(listener);
  }

  abstract retryNow(): void;

  close(): void {
    if (this.isClosed) return;
    this.show({ phase: "closed" });
    this.isClosed = true;
  }

  protected deliver(events: OrielEvent[], cursor: Cursor): void {
    if (this.isClosed) return;
    this.cursor = cursor;
    if (events.length > 0) this.#events.notify(events);
  }

  protected reportGap(gap: Gap): void {
    if (!this.isClosed) this.#gaps.notify(gap);
  }

  protected show(state: ConnectionState): void {
    if (this.isClosed || JSON.stringify(state) === JSON.stringify(this.state)) return;
    this.state = state;
    this.#states.notify(state);
  }
}
