// Elects the leader among the tabs of a group: the holder of a lock, which the browser passes on when its tab closes.

import type { Platform } from "./platform";

export interface LeaderCallbacks {
  enter(): void;
  leave(): void; // another tab has stolen the lock
}

export class Leadership {
  #locks: NonNullable<Platform["sharing"]>["locks"];
  #name: string;
  #callbacks: LeaderCallbacks;
  #attempt = new AbortController();
  #resign = () => {};

  constructor(locks: NonNullable<Platform["sharing"]>["locks"], name: string, callbacks: LeaderCallbacks) {
    this.#locks = locks;
    this.#name = name;
    this.#callbacks = callbacks;
  }

  // `force` steals the lock of a leader that no longer answers.
  async run(force = false): Promise<void> {
    this.#attempt.abort();
    const attempt = (this.#attempt = new AbortController());
    const hold = () => {
      if (this.#attempt !== attempt || attempt.signal.aborted) return undefined;
      this.#callbacks.enter();
      return new Promise<void>((resolve) => (this.#resign = resolve));
    };
    try {
      await this.#locks.request(this.#name, force ? { steal: true } : { signal: attempt.signal }, hold);
    } catch (error) {
      if (this.#attempt !== attempt || attempt.signal.aborted) return;
      // Without permission to use locks a page is its own leader.
      if ((error as Error).name !== "AbortError") return this.#callbacks.enter();
      this.#callbacks.leave();
      return this.run();
    }
  }

  end(): void {
    this.#attempt.abort();
    this.#resign();
  }
}
