// A stream that records everything it reports.

import { openStreamOn } from "../open_stream_on";
import type { ConnectionState, EventStream, Gap, OrielEvent, StreamOptions } from "../types";
import { FakeBrowser, FakeTab } from "./fake_platform";
import { FakeServer } from "./fake_server";

export class Watcher {
  stream: EventStream;
  events: OrielEvent[] = [];
  batches: number[] = [];
  states: ConnectionState[] = [];
  gaps: Gap[] = [];

  constructor(platform: FakeTab, server: FakeServer, options: StreamOptions = {}) {
    this.stream = openStreamOn(platform, { baseUrl: "http://oriel.test", fetch: server.fetch, shared: false, ...options });
    this.stream.onEvents((events) => {
      this.events.push(...events);
      this.batches.push(events.length);
    });
    this.stream.onState((state) => this.states.push(state));
    this.stream.onGap((gap) => this.gaps.push(gap));
  }

  get sequences(): number[] {
    return this.events.map((event) => event.sequence);
  }

  get phase(): string {
    return this.stream.state.phase;
  }
}

export const numbers = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i);

export function environment<T extends FakeServer>(server: T) {
  const browser = new FakeBrowser();
  const tab = browser.tab();
  return { browser, tab, clock: browser.clock, server, watch: (options?: StreamOptions) => new Watcher(tab, server, options) };
}
