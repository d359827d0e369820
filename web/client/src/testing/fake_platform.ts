// A fake browser with tabs, locks, channels and a clock that tests advance.

import type { Channel, Platform } from "../platform";

interface Timer {
  at: number;
  run: () => void;
}

// Runs everything that needs no time.
export async function settle(): Promise<void> {
  for (let round = 0; round < 8; ++round) await new Promise((resolve) => setImmediate(resolve));
}

export class FakeClock {
  now = 1_000_000;
  timers = new Set<Timer>();

  later(ms: number, run: () => void): () => void {
    const timer = { at: this.now + ms, run };
    this.timers.add(timer);
    return () => void this.timers.delete(timer);
  }

  async advance(ms: number): Promise<void> {
    const end = this.now + ms;
    await settle();
    for (;;) {
      const due = [...this.timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.timers.delete(due);
      this.now = Math.max(this.now, due.at);
      due.run();
      await settle();
    }
    this.now = end;
  }
}

interface Request {
  name: string;
  hold: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

const aborted = () => new DOMException("aborted", "AbortError");

export class FakeLocks {
  held = new Map<string, Request>();
  waiting: Request[] = [];

  request(name: string, options: LockOptions, hold: () => unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const request = { name, hold, resolve, reject };
      if (options.signal?.aborted) return reject(aborted());
      options.signal?.addEventListener("abort", () => {
        if (!this.waiting.includes(request)) return;
        this.waiting = this.waiting.filter((other) => other !== request);
        reject(aborted());
      });
      if (options.steal) {
        this.held.get(name)?.reject(aborted());
        this.held.delete(name);
        this.waiting.unshift(request);
      } else {
        this.waiting.push(request);
      }
      queueMicrotask(() => this.#grant());
    });
  }

  #grant(): void {
    for (const request of [...this.waiting]) {
      if (this.held.has(request.name)) continue;
      this.waiting = this.waiting.filter((other) => other !== request);
      this.held.set(request.name, request);
      void Promise.resolve(request.hold()).then((value) => {
        if (this.held.get(request.name) === request) this.held.delete(request.name);
        request.resolve(value);
        this.#grant();
      });
    }
  }
}

export class FakeBrowser {
  clock = new FakeClock();
  locks = new FakeLocks();
  randomValue = 0.5;
  #channels = new Set<{ name: string; tab: FakeTab; receive: (message: any) => void }>();

  tab(): FakeTab {
    return new FakeTab(this);
  }

  channel(tab: FakeTab, name: string, receive: (message: any) => void): Channel {
    const mine = { name, tab, receive };
    this.#channels.add(mine);
    return {
      post: (message) => {
        if (!this.#channels.has(mine)) throw new DOMException("closed", "InvalidStateError");
        if (tab.isHung || tab.loses()) return;
        for (const other of this.#channels) {
          if (other === mine || other.name !== name) continue;
          const copy = structuredClone(message);
          queueMicrotask(() => this.#channels.has(other) && !other.tab.isHung && other.receive(copy));
        }
      },
      close: () => void this.#channels.delete(mine),
    };
  }

  get openChannels(): number {
    return this.#channels.size;
  }
}

export class FakeTab implements Platform {
  isHung = false; // it neither sends nor receives, and its timers are late
  loses = () => false; // whether the next message is lost
  online = new Set<() => void>();
  visible = new Set<() => void>();
  #browser: FakeBrowser;

  constructor(browser: FakeBrowser) {
    this.#browser = browser;
  }

  now = () => this.#browser.clock.now;
  random = () => this.#browser.randomValue;

  later(ms: number, run: () => void): () => void {
    const { clock } = this.#browser;
    let stop = clock.later(ms, () => {
      if (this.isHung) stop = this.later(1000, run);
      else run();
    });
    return () => stop();
  }

  onOnline(run: () => void): () => void {
    this.online.add(run);
    return () => void this.online.delete(run);
  }

  onVisible(run: () => void): () => void {
    this.visible.add(run);
    return () => void this.visible.delete(run);
  }

  get sharing(): Platform["sharing"] {
    return {
      locks: this.#browser.locks as unknown as Pick<LockManager, "request">,
      digest: async (text) => text,
      channel: (name, receive) => this.#browser.channel(this, name, receive),
    };
  }
}
