// One open session: its conversation, filled from the newest event back to the oldest, while the stream adds to its end.
// Whatever is missing between what was taken is asked for, so that in the end every event of the journal is there.
import { signal } from "@preact/signals";
import { OrielError, type OrielEvent } from "@oriel/client";
import { Conversation } from "../model/conversation";
import type { Session, Turn } from "../model/types";
import { api, connection, gap, learnSession, onEvents, problemOf, sessionSignal } from "./store";

const kFirstPage = 800;
const kPage = 2000;
const kSlice = 400; // events folded without a pause
const kDrawEvery = 50;

export type Filling =
  | { phase: "first" }
  | { phase: "older"; left: number }
  | { phase: "whole"; missing: number } // missing: events that the server holds and did not tell
  | { phase: "failed"; problem: string; isGone: boolean };

export class SessionView {
  readonly conversation = new Conversation();
  readonly version = signal(0);
  readonly filling = signal<Filling>({ phase: "first" });
  oldestHeld = 0; // events before it are no longer kept

  private isClosed = false;
  private readonly undo: (() => void)[] = [];
  private drawTimer: ReturnType<typeof setTimeout> | undefined;
  private drawnAt = 0;
  private isFilling = false;

  constructor(readonly id: string) {
    this.undo.push(onEvents((events) => this.take(events)));
    this.undo.push(gap.subscribe((told) => told && this.fill()));
    this.undo.push(connection.subscribe((state) => {
      if (state.phase === "live" && this.filling.peek().phase !== "first") void this.fill();
    }));
    this.undo.push(sessionSignal(id).subscribe(() => this.fillHoles()));
    void this.open();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.drawTimer);
    for (const undo of this.undo) undo();
  }

  // The newest event known of, also when it has not been taken.
  private get newest(): number {
    return Math.max(this.conversation.lastIndex, sessionSignal(this.id).peek()?.last_index ?? -1);
  }

  private get missing(): number {
    return Math.max(0, this.conversation.lastIndex + 1 - this.oldestHeld - this.conversation.count);
  }

  private take(events: readonly OrielEvent[]): void {
    let isMine = false;
    for (const event of events) {
      if (event.session_id !== this.id) continue;
      this.conversation.add(event);
      isMine = true;
    }
    if (isMine) this.scheduleDraw();
  }

  private async open(): Promise<void> {
    if (!sessionSignal(this.id).peek()) {
      try {
        learnSession((await api.session(this.id)) as Session);
      } catch (error) {
        if (error instanceof OrielError && error.status === 404) return this.fail(error, true);
        return this.fail(error, false);
      }
    }
    await this.fill();
    if (sessionSignal(this.id).peek()?.is_observed || this.oldestHeld > 0) await this.loadTurns();
  }

  private fail(error: unknown, isGone: boolean): void {
    this.filling.value = { phase: "failed", problem: problemOf(error), isGone };
    if (!isGone && !this.isClosed) setTimeout(() => !this.isClosed && void this.open(), 3000);
  }

  // A snapshot that is newer than the stream, or an event that does not follow the one before: what lies between was told
  // before the stream was open.
  private fillHoles(): void {
    const filling = this.filling.peek();
    if (filling.phase === "whole" && (this.newest > this.conversation.lastIndex || this.missing > filling.missing)) void this.fill();
  }

  // From the newest missing event downwards, page by page; again, if newer ones were heard of meanwhile.
  private async fill(): Promise<void> {
    if (this.isFilling || this.isClosed) return;
    this.isFilling = true;
    try {
      let newest = this.newest;
      let at = newest;
      let size = kFirstPage;
      while (!this.isClosed) {
        while (at >= this.oldestHeld && this.conversation.has(at)) at -= 1;
        if (at < this.oldestHeld) {
          if (this.newest <= newest) break;
          newest = this.newest;
          at = newest;
          continue;
        }
        const since = Math.max(this.oldestHeld, at - size + 1) - 1;
        at = await this.fetchRange(since, at);
        size = kPage;
        if (at >= this.oldestHeld) this.filling.value = { phase: "older", left: at + 1 - this.oldestHeld };
      }
      this.filling.value = { phase: "whole", missing: this.missing };
      this.scheduleDraw();
    } catch (error) {
      this.isFilling = false;
      if (error instanceof OrielError && error.status === 404) return this.fail(error, true);
      this.filling.value = { phase: "failed", problem: problemOf(error), isGone: false };
      setTimeout(() => void this.fill(), 3000);
      return;
    }
    this.isFilling = false;
  }

  // Everything after `since` up to `top`, in as many answers as the server makes of it. Answers the index below.
  private async fetchRange(since: number, top: number): Promise<number> {
    try {
      for (let from = since; from < top && !this.isClosed; ) {
        const page = await api.events(this.id, { since_index: from, limit: top - from });
        await this.takeSlowly(page.events as OrielEvent[]);
        if (!page.has_more || page.last_index <= from) break;
        from = page.last_index;
      }
      return since;
    } catch (error) {
      const oldest = error instanceof OrielError && error.status === 410 ? Number(error.data?.oldest_index) : NaN;
      if (Number.isNaN(oldest) || oldest <= this.oldestHeld) throw error;
      this.oldestHeld = oldest;
      return top;
    }
  }

  private async takeSlowly(events: readonly OrielEvent[]): Promise<void> {
    for (let end = events.length; end > 0 && !this.isClosed; end -= kSlice) {
      this.conversation.addAll(events.slice(Math.max(0, end - kSlice), end));
      if (end > kSlice) await pause();
    }
    if (this.filling.peek().phase === "first") this.draw();
    else this.scheduleDraw();
  }

  private async loadTurns(): Promise<void> {
    try {
      for (let before: string | undefined; !this.isClosed; ) {
        const page = await api.turns(this.id, before ? { limit: 1000, before } : { limit: 1000 });
        this.conversation.addTurns(page.turns as Turn[]);
        this.draw();
        if (!page.has_earlier || page.turns.length === 0) break;
        before = page.turns[0]!.cursor;
      }
    } catch {
      // Its events tell of them too.
    }
  }

  private scheduleDraw(): void {
    if (this.drawTimer !== undefined || this.isClosed) return;
    this.drawTimer = setTimeout(() => this.draw(), Math.max(0, this.drawnAt + kDrawEvery - performance.now()));
  }

  private draw(): void {
    clearTimeout(this.drawTimer);
    this.drawTimer = undefined;
    this.drawnAt = performance.now();
    this.version.value += 1;
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
