// One connection for all tabs with the same filters. The leader has the connection and posts each step to the others: the cursor
// before, the cursor after, and the events between. A follower whose cursor has reached the start of a step applies it; otherwise
// it has missed events and catches up on its own connection, one tab at a time. Any tab can become the leader at any time.

import { hasReached, type Cursor } from "./cursor";
import { Feed, type FeedRequest } from "./feed";
import { Leadership } from "./leadership";
import { BaseStream } from "./base_stream";
import type { Channel, Platform } from "./platform";
import type { ConnectionState, Gap, OrielEvent } from "./types";

type Message =
  | { kind: "step"; from: Cursor; to: Cursor; events: OrielEvent[] }
  | { kind: "gap"; at: Cursor; gap: Gap }
  | { kind: "position"; cursor: Cursor; newest: Cursor; state: ConnectionState }
  | { kind: "ask" | "retryNow" | "online" | "wake" | "due" }; // from followers

const ASK_INTERVAL = 20_000; // ms without a message from the leader
const MAX_UNANSWERED = 2; // then the leader is replaced

export class SharedStream extends BaseStream {
  #platform: Platform;
  #request: FeedRequest;
  #name = "";
  #channel: Channel | undefined;
  #leadership: Leadership | undefined;
  #isLeader = false;
  #feed: Feed | undefined; // of the leader, or of a follower that catches up
  #catchingUp: AbortController | undefined;
  #leaderCursor: Cursor;
  #leaderState: ConnectionState = { phase: "connecting" };
  #isRejected = false; // while catching up
  #unanswered = 0;
  #stopAsking = () => {};
  #stopDue = () => {};
  #stopListening: (() => void)[];

  constructor(platform: Platform, request: FeedRequest, after: Cursor, group: string) {
    super(after);
    this.#platform = platform;
    this.#request = request;
    this.#stopListening = [
      platform.onOnline(() => this.#wakeFeed("online")),
      platform.onVisible(() => this.#wakeFeed("wake")),
    ];
    void this.#join(group);
  }

  retryNow(): void {
    this.#isRejected = false;
    this.#wakeFeed("retryNow");
  }

  override close(): void {
    for (const stop of this.#stopListening) stop();
    this.#stopAsking();
    this.#stopDue();
    this.#stopFeed();
    super.close();
    this.#leadership?.end();
    this.#channel?.close();
  }

  async #join(group: string): Promise<void> {
    const { locks, digest, channel } = this.#platform.sharing!;
    try {
      this.#name = `oriel-${await digest(group)}`; // hashed because the group includes the token
      if (this.isClosed) return;
      this.#channel = channel(this.#name, (message) => this.#receive(message));
    } catch {
      return this.isClosed ? undefined : this.#lead(); // a page without an origin, as in a sandboxed frame
    }
    this.#leadership = new Leadership(locks, this.#name, { enter: () => this.#lead(), leave: () => this.#follow() });
    this.#follow();
    void this.#leadership.run();
  }

  #post(message: Message): void {
    if (!this.isClosed) this.#channel?.post(message);
  }

  #wakeFeed(kind: "retryNow" | "online" | "wake" | "due"): void {
    if (this.isClosed) return;
    this.#feed?.[kind]();
    if (!this.#isLeader) this.#post({ kind });
  }

  // ---- leader

  #lead(): void {
    this.#isLeader = true;
    this.#stopAsking();
    this.#stopDue();
    this.#catchingUp?.abort();
    this.#catchingUp = undefined;
    this.#isRejected = false;
    if (!this.#feed) this.#startFeed();
    else this.#announce();
  }

  #announce(): void {
    const { cursor, head, state } = this.#feed!;
    const newest = hasReached(cursor, head) || !head ? cursor : head;
    this.#post({ kind: "position", cursor, newest, state });
  }

  // ---- follower

  #follow(): void {
    this.#isLeader = false;
    this.#stopFeed();
    this.#unanswered = 0;
    this.#post({ kind: "ask" });
    this.#keepAsking();
  }

  #keepAsking(): void {
    this.#stopAsking();
    this.#stopAsking = this.#platform.later(ASK_INTERVAL, () => {
      if (this.#unanswered++ >= MAX_UNANSWERED) void this.#leadership!.run(true);
      else this.#post({ kind: "ask" });
      this.#keepAsking();
    });
  }

  #receive(message: Message): void {
    if (this.isClosed) return;
    switch (message.kind) {
      case "step":
        return this.#onLeaderStep(message.from, message.to, message.events);
      case "gap":
        if (!this.#isLeader && this.cursor === message.at) this.reportGap(message.gap);
        return;
      case "position":
        return this.#onLeaderPosition(message.cursor, message.newest, message.state);
      default:
        if (!this.#isLeader) return;
        if (message.kind !== "ask") this.#feed![message.kind]();
        this.#announce();
    }
  }

  #onLeaderStep(from: Cursor, to: Cursor, events: OrielEvent[]): void {
    if (this.#isLeader) return;
    this.#onLeaderMessage(to);
    if (hasReached(this.cursor, from)) {
      this.#stopFeed();
      const isBack = from !== to && hasReached(from, to); // the journal was restored from an older copy
      const cursor = isBack ? to : this.cursor;
      const isAhead = !isBack && hasReached(cursor, to);
      this.deliver(events.filter(({ id }) => !hasReached(cursor, id)), isAhead ? cursor : to);
      this.show(this.#leaderState);
    } else if (!hasReached(this.cursor, to)) {
      this.#catchUp();
    }
  }

  #onLeaderPosition(cursor: Cursor, newest: Cursor, state: ConnectionState): void {
    if (this.#isLeader) return;
    this.#leaderState = state;
    this.#onLeaderMessage(cursor);
    this.cursor ??= newest;
    if (cursor !== undefined && !hasReached(this.cursor, cursor)) this.#catchUp();
    else this.#joinIfCaughtUp();
    if (!this.#catchingUp && !this.#isRejected) this.show(state);
    this.#stopDue();
    if (state.phase !== "reconnecting") return;
    // The timers of a hidden leader are late.
    this.#stopDue = this.#platform.later(Math.max(0, state.at - this.#platform.now()), () => this.#wakeFeed("due"));
  }

  #onLeaderMessage(cursor: Cursor): void {
    this.#unanswered = 0;
    this.#leaderCursor = cursor;
  }

  #catchUp(): void {
    if (this.#catchingUp || this.#isRejected || this.cursor === undefined) return;
    const mine = (this.#catchingUp = new AbortController());
    const hold = () =>
      new Promise<void>((resolve) => {
        if (mine.signal.aborted) return resolve();
        mine.signal.addEventListener("abort", () => resolve());
        this.#startFeed();
      });
    const { locks } = this.#platform.sharing!;
    locks.request(`${this.#name}-catch-up`, { signal: mine.signal }, hold).catch(() => {}); // aborted
  }

  #joinIfCaughtUp(): void {
    if (!this.#feed || !hasReached(this.cursor, this.#leaderCursor)) return;
    this.#stopFeed();
    this.show(this.#leaderState);
  }

  // ---- both

  #startFeed(): void {
    this.#feed = new Feed(this.#platform, this.#request, this.cursor, {
      step: (from, to, events) => {
        if (this.#isLeader) this.#post({ kind: "step", from, to, events });
        this.deliver(events, to);
        if (!this.#isLeader) this.#joinIfCaughtUp();
      },
      gap: (gap) => {
        if (this.#isLeader) this.#post({ kind: "gap", at: this.cursor, gap });
        this.reportGap(gap);
      },
      state: (state) => {
        if (this.#isLeader) this.#announce();
        this.show(state);
        if (!this.#isLeader && state.phase === "closed") this.#reject();
      },
    });
    this.#feed.connect();
  }

  #reject(): void {
    this.#isRejected = true;
    this.#stopFeed();
  }

  #stopFeed(): void {
    this.#catchingUp?.abort();
    this.#catchingUp = undefined;
    this.#feed?.close();
    this.#feed = undefined;
  }
}
