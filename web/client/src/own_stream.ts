// A stream with its own connection.

import type { Cursor } from "./cursor";
import { Feed, type FeedRequest } from "./feed";
import { BaseStream } from "./base_stream";
import type { Platform } from "./platform";

export class OwnStream extends BaseStream {
  #feed: Feed;
  #stopListening: (() => void)[];

  constructor(platform: Platform, request: FeedRequest, after: Cursor) {
    super(after);
    this.#feed = new Feed(platform, request, after, {
      step: (_, to, events) => this.deliver(events, to),
      gap: (gap) => this.reportGap(gap),
      state: (state) => this.show(state),
    });
    this.#stopListening = [
      platform.onOnline(() => this.#feed.online()),
      platform.onVisible(() => this.#feed.wake()),
    ];
    this.#feed.connect();
  }

  retryNow(): void {
    if (!this.isClosed) this.#feed.retryNow();
  }

  override close(): void {
    for (const stop of this.#stopListening) stop();
    this.#feed.close();
    super.close();
  }
}
