// One open session: loads its conversation from the newest event back to the oldest while the stream appends to its end. Missing
// ranges are requested until every stored event is loaded.
import { signal } from "@preact/signals";
import { OrielError, type OrielEvent, type SessionEvent } from "@oriel/client";
import { Conversation } from "../model/conversation";
import { api, connection, gap, applySnapshot, onEvents, errorText, sessionSignal } from "./store";

const kFirstPage = 800;
const kPage = 2000;
const kSlice = 400; // events added without a pause
const kDrawInterval = 50; // ms

export type Loading =
  | { phase: "first" }
  | { phase: "older"; remaining: number }
  | { phase: "complete"; missing: number } // missing: stored events that the server did not return
  | { phase: "failed"; problem: string; isNotFound: boolean };

export class SessionView {
  readonly conversation = new Conversation();
  readonly version = signal(0);
  readonly loading = signal<Loading>({ phase: "first" });
  oldestStored = 0; // index of the oldest event that the server stores

  private isClosed = false;
  private readonly undo: (() => void)[] = [];
  private drawTimer: ReturnType<typeof setTimeout> | undefined;
  private drawnAt = 0;
  private isLoading = false;

  constructor(readonly id: string) {
    this.undo.push(onEvents((events) => this.add(events)));
    this.undo.push(gap.subscribe((next) => next && this.load()));
    this.undo.push(connection.subscribe((state) => {
      if (state.phase === "live" && this.loading.peek().phase !== "first") void this.load();
    }));
    this.undo.push(sessionSignal(id).subscribe(() => this.loadMissing()));
    void this.open();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.drawTimer);
    for (const undo of this.undo) undo();
  }

  // The index of the newest known event, loaded or not.
  private get newest(): number {
    return Math.max(this.conversation.lastIndex, sessionSignal(this.id).peek()?.last_index ?? -1);
  }

  private get missing(): number {
    return Math.max(0, this.conversation.lastIndex + 1 - this.oldestStored - this.conversation.count);
  }

  private add(events: readonly OrielEvent[]): void {
    const own = events.filter((event) => event.session_id === this.id);
    if (own.length === 0) return;
    this.conversation.addAll(own);
    this.scheduleDraw();
  }

  private async open(): Promise<void> {
    if (!sessionSignal(this.id).peek()) {
      try {
        applySnapshot(await api.session(this.id));
      } catch (error) {
        if (error instanceof OrielError && error.status === 404) return this.fail(error, true);
        return this.fail(error, false);
      }
    }
    await this.load();
    if (sessionSignal(this.id).peek()?.is_observed || this.oldestStored > 0) await this.loadTurns();
  }

  private fail(error: unknown, isNotFound: boolean): void {
    this.loading.value = { phase: "failed", problem: errorText(error), isNotFound };
    if (!isNotFound && !this.isClosed) setTimeout(() => !this.isClosed && void this.open(), 3000);
  }

  // Loads events from before the stream opened, if a snapshot is newer than the stream or an index is missing.
  private loadMissing(): void {
    const loading = this.loading.peek();
    if (loading.phase === "complete" && (this.newest > this.conversation.lastIndex || this.missing > loading.missing)) void this.load();
  }

  // Loads missing events page by page from the newest down, and repeats if newer ones have arrived meanwhile.
  private async load(): Promise<void> {
    if (this.isLoading || this.isClosed) return;
    this.isLoading = true;
    try {
      let newest = this.newest;
      let index = newest;
      let size = kFirstPage;
      while (!this.isClosed) {
        while (index >= this.oldestStored && this.conversation.has(index)) index -= 1;
        if (index < this.oldestStored) {
          if (this.newest <= newest) break;
          newest = this.newest;
          index = newest;
          continue;
        }
        const since = Math.max(this.oldestStored, index - size + 1) - 1;
        index = await this.fetchRange(since, index);
        size = kPage;
        if (index >= this.oldestStored) this.loading.value = { phase: "older", remaining: index + 1 - this.oldestStored };
      }
      this.loading.value = { phase: "complete", missing: this.missing };
      this.scheduleDraw();
    } catch (error) {
      this.isLoading = false;
      if (error instanceof OrielError && error.status === 404) return this.fail(error, true);
      this.loading.value = { phase: "failed", problem: errorText(error), isNotFound: false };
      setTimeout(() => void this.load(), 3000);
      return;
    }
    this.isLoading = false;
  }

  // Loads the events after `since` up to `top`. Returns the index to continue below.
  private async fetchRange(since: number, top: number): Promise<number> {
    try {
      for (let from = since; from < top && !this.isClosed; ) {
        const page = await api.events(this.id, { since_index: from, limit: top - from });
        await this.addInSlices(page.events);
        if (!page.has_more || page.last_index <= from) break;
        from = page.last_index;
      }
      return since;
    } catch (error) {
      const oldest = error instanceof OrielError && error.status === 410 ? Number(error.data?.oldest_index) : NaN;
      if (Number.isNaN(oldest) || oldest <= this.oldestStored) throw error;
      this.oldestStored = oldest;
      return top;
    }
  }

  private async addInSlices(events: readonly SessionEvent[]): Promise<void> {
    for (let end = events.length; end > 0 && !this.isClosed; end -= kSlice) {
      this.conversation.addAll(events.slice(Math.max(0, end - kSlice), end));
      if (end > kSlice) await pause();
    }
    if (this.loading.peek().phase === "first") this.draw();
    else this.scheduleDraw();
  }

  private async loadTurns(): Promise<void> {
    try {
      for (let before: string | undefined; !this.isClosed; ) {
        const page = await api.turns(this.id, before ? { limit: 1000, before } : { limit: 1000 });
        this.conversation.addTurns(page.turns);
        this.draw();
        if (!page.has_earlier || page.turns.length === 0) break;
        before = page.turns[0]!.cursor;
      }
    } catch {
      // The events carry the turns as well.
    }
  }

  private scheduleDraw(): void {
    if (this.drawTimer !== undefined || this.isClosed) return;
    this.drawTimer = setTimeout(() => this.draw(), Math.max(0, this.drawnAt + kDrawInterval - performance.now()));
  }

  private draw(): void {
    clearTimeout(this.drawTimer);
    this.drawTimer = undefined;
    this.drawnAt = performance.now();
    this.version.value += 1;
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
