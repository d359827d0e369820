// One connection for all tabs that want the same. The leader has it and tells the others each step: from where, to where, and
// what lay between. A follower goes along if it stands at the step's beginning or beyond; else it has missed something, and
// catches up on a connection of its own, one tab at a time. So it does not matter who leads, nor what a tab has missed.

import { hasReached, type Cursor } from "./cursor";
import { Feed, type FeedRequest } from "./feed";
import { Leadership } from "./leadership";
import { ListenedStream } from "./listened_stream";
import type { Channel, Platform } from "./platform";
import type { ConnectionState, Gap, OrielEvent } from "./types";

type Message =
  | { kind: "step"; from: Cursor; to: Cursor; events: OrielEvent[] }
  | { kind: "gap"; at: Cursor; gap: Gap }
  | { kind: "place"; cursor: Cursor; newest: Cursor; state: ConnectionState }
  | { kind: "ask" | "retryNow" | "online" | "wake" | "due" }; // from followers

const ASK_EVERY = 20_000; // ms, of a leader that says nothing
const UNANSWERED = 2; // questions; then it is replaced

export class SharedStream extends ListenedStream {
  #platform: Platform;
  #request: FeedRequest;
  #name = "";
  #channel: Channel | undefined;
  #leadership: Leadership | undefined;
  #isLeader = false;
  #feed: Feed | undefined; // the leader's, or that of a follower that catches up
  #catchingUp: AbortController | undefined;
  #leadersCursor: Cursor;
  #leadersState: ConnectionState = { phase: "connecting" };
  #isRefused = false; // while catching up
  #unanswered = 0;
  #stopAsking = () => {};
  #stopDue = () => {};
  #stopListening: (() => void)[];

  constructor(platform: Platform, request: FeedRequest, after: Cursor, group: string) {
    super(after);
    this.#platform = platform;
    this.#request = request;
    this.#stopListening = [
      platform.onOnline(() => this.#urge("online")),
      platform.onVisible(() => this.#urge("wake")),
    ];
    void this.#join(group);
  }

  retryNow(): void {
    this.#isRefused = false;
    this.#urge("retryNow");
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
      this.#name = `oriel-${await digest(group)}`; // the group has the token in it
      if (this.isClosed) return;
      this.#channel = channel(this.#name, (message) => this.#receive(message));
    } catch {
      return this.isClosed ? undefined : this.#lead(); // alone: a page without an origin, as in a sandboxed frame
    }
    this.#leadership = new Leadership(locks, this.#name, { enter: () => this.#lead(), leave: () => this.#follow() });
    this.#follow();
    void this.#leadership.run();
  }

  #post(message: Message): void {
    if (!this.isClosed) this.#channel?.post(message);
  }

  #urge(kind: "retryNow" | "online" | "wake" | "due"): void {
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
    this.#isRefused = false;
    if (!this.#feed) this.#startFeed();
    else this.#tellPlace();
  }

  #tellPlace(): void {
    const { cursor, head, state } = this.#feed!;
    const newest = hasReached(cursor, head) || !head ? cursor : head;
    this.#post({ kind: "place", cursor, newest, state });
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
    this.#stopAsking = this.#platform.later(ASK_EVERY, () => {
      if (this.#unanswered++ >= UNANSWERED) void this.#leadership!.run(true);
      else this.#post({ kind: "ask" });
      this.#keepAsking();
    });
  }

  #receive(message: Message): void {
    if (this.isClosed) return;
    switch (message.kind) {
      case "step":
        return this.#goAlong(message.from, message.to, message.events);
      case "gap":
        if (!this.#isLeader && this.cursor === message.at) this.tellGap(message.gap);
        return;
      case "place":
        return this.#hearPlace(message.cursor, message.newest, message.state);
      default:
        if (!this.#isLeader) return;
        if (message.kind !== "ask") this.#feed![message.kind]();
        this.#tellPlace();
    }
  }

  #goAlong(from: Cursor, to: Cursor, events: OrielEvent[]): void {
    if (this.#isLeader) return;
    this.#heard(to);
    if (hasReached(this.cursor, from)) {
      this.#stopFeed();
      const isBack = from !== to && hasReached(from, to); // the journal is an older one
      const place = isBack ? to : this.cursor;
      const isAhead = !isBack && hasReached(place, to);
      this.deliver(events.filter(({ id }) => !hasReached(place, id)), isAhead ? place : to);
      this.show(this.#leadersState);
    } else if (!hasReached(this.cursor, to)) {
      this.#catchUp();
    }
  }

  #hearPlace(cursor: Cursor, newest: Cursor, state: ConnectionState): void {
    if (this.#isLeader) return;
    this.#leadersState = state;
    this.#heard(cursor);
    this.cursor ??= newest;
    if (cursor !== undefined && !hasReached(this.cursor, cursor)) this.#catchUp();
    else this.#joinIfThere();
    if (!this.#catchingUp && !this.#isRefused) this.show(state);
    this.#stopDue();
    if (state.phase !== "reconnecting") return;
    // The leader may be a hidden page, whose timers are late.
    this.#stopDue = this.#platform.later(Math.max(0, state.at - this.#platform.now()), () => this.#urge("due"));
  }

  #heard(cursor: Cursor): void {
    this.#unanswered = 0;
    this.#leadersCursor = cursor;
  }

  #catchUp(): void {
    if (this.#catchingUp || this.#isRefused || this.cursor === undefined) return;
    const mine = (this.#catchingUp = new AbortController());
    const hold = () =>
      new Promise<void>((resolve) => {
        if (mine.signal.aborted) return resolve();
        mine.signal.addEventListener("abort", () => resolve());
        this.#startFeed();
      });
    const { locks } = this.#platform.sharing!;
    locks.request(`${this.#name}-catch-up`, { signal: mine.signal }, hold).catch(() => {}); // called off
  }

  #joinIfThere(): void {
    if (!this.#feed || !hasReached(this.cursor, this.#leadersCursor)) return;
    this.#stopFeed();
    this.show(this.#leadersState);
  }

  // ---- both

  #startFeed(): void {
    this.#feed = new Feed(this.#platform, this.#request, this.cursor, {
      step: (from, to, events) => {
        if (this.#isLeader) this.#post({ kind: "step", from, to, events });
        this.deliver(events, to);
        if (!this.#isLeader) this.#joinIfThere();
      },
      gap: (gap) => {
        if (this.#isLeader) this.#post({ kind: "gap", at: this.cursor, gap });
        this.tellGap(gap);
      },
      state: (state) => {
        if (this.#isLeader) this.#tellPlace();
        this.show(state);
        if (!this.#isLeader && state.phase === "closed") this.#refuse();
      },
    });
    this.#feed.connect();
  }

  #refuse(): void {
    this.#isRefused = true;
    this.#stopFeed();
  }

  #stopFeed(): void {
    this.#catchingUp?.abort();
    this.#catchingUp = undefined;
    this.#feed?.close();
    this.#feed = undefined;
  }
}
