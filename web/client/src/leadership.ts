// Who of the tabs of one group leads: the one that holds a lock, which the browser gives on when the tab is gone.

import type { Platform } from "./platform";

export interface Office {
  enter(): void;
  leave(): void; // another tab has taken it away
}

export class Leadership {
  #locks: NonNullable<Platform["sharing"]>["locks"];
  #name: string;
  #office: Office;
  #candidacy = new AbortController();
  #resign = () => {};

  constructor(locks: NonNullable<Platform["sharing"]>["locks"], name: string, office: Office) {
    this.#locks = locks;
    this.#name = name;
    this.#office = office;
  }

  // From a leader that no longer answers it is taken by force.
  async run(force = false): Promise<void> {
    this.#candidacy.abort();
    const candidacy = (this.#candidacy = new AbortController());
    const hold = () => {
      if (this.#candidacy !== candidacy || candidacy.signal.aborted) return undefined;
      this.#office.enter();
      return new Promise<void>((resolve) => (this.#resign = resolve));
    };
    try {
      await this.#locks.request(this.#name, force ? { steal: true } : { signal: candidacy.signal }, hold);
    } catch (error) {
      if (this.#candidacy !== candidacy || candidacy.signal.aborted) return;
      // A page that may not use locks leads itself.
      if ((error as Error).name !== "AbortError") return this.#office.enter();
      this.#office.leave();
      return this.run();
    }
  }

  end(): void {
    this.#candidacy.abort();
    this.#resign();
  }
}
