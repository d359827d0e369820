// The changes of one session: the list, the diffs that were opened, and comments that are not sent yet.
import { signal, type Signal } from "@preact/signals";
import type { Changes, ChangesDiff } from "@oriel/client";
import type { LineComment } from "../model/patch";
import { api, errorText, sessionSignal } from "./store";

export type Loaded<T> = { phase: "loading" } | { phase: "failed"; problem: string } | { phase: "loaded"; value: T };

const kReloadAfter = 1500; // ms after a task has ended

export class ChangesState {
  readonly list = signal<Loaded<Changes>>({ phase: "loading" });
  readonly isStale = signal(false); // the agent has worked since the list was loaded
  readonly isReloading = signal(false);
  private readonly diffs = new Map<string, Signal<Loaded<ChangesDiff>>>();
  private readonly undo: () => void;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private seen = -1; // the index of the newest event when the list was loaded
  private isClosed = false;

  constructor(readonly id: string) {
    this.undo = sessionSignal(id).subscribe((session) => {
      if (!session || this.list.peek().phase !== "loaded") return;
      if (this.seen < 0) this.seen = session.last_index;
      if (session.last_index <= this.seen) return;
      this.isStale.value = true;
      clearTimeout(this.timer);
      if (session.status !== "running") this.timer = setTimeout(() => void this.load(), kReloadAfter);
    });
    void this.load();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.undo();
  }

  async load(): Promise<void> {
    if (this.isReloading.peek()) return;
    this.isReloading.value = true;
    const seen = sessionSignal(this.id).peek()?.last_index ?? -1;
    try {
      const value = await api.changes(this.id);
      if (this.isClosed) return;
      this.seen = seen >= 0 ? seen : (sessionSignal(this.id).peek()?.last_index ?? -1);
      this.isStale.value = false;
      this.diffs.clear();
      this.list.value = { phase: "loaded", value };
    } catch (error) {
      this.list.value = { phase: "failed", problem: errorText(error) };
    } finally {
      this.isReloading.value = false;
    }
  }

  // Of the state that the list shows.
  diffOf(path: string): Signal<Loaded<ChangesDiff>> {
    let diff = this.diffs.get(path);
    if (!diff) {
      this.diffs.set(path, (diff = signal<Loaded<ChangesDiff>>({ phase: "loading" })));
      void this.read(path, diff);
    }
    return diff;
  }

  patch(): Promise<ChangesDiff> {
    return api.changesDiff(this.id, { snapshot: this.snapshot });
  }

  private get snapshot(): string | undefined {
    const list = this.list.peek();
    return list.phase === "loaded" && list.value.snapshot !== "" ? list.value.snapshot : undefined;
  }

  private async read(path: string, diff: Signal<Loaded<ChangesDiff>>): Promise<void> {
    try {
      diff.value = { phase: "loaded", value: await api.changesDiff(this.id, { path, snapshot: this.snapshot }) };
    } catch (error) {
      diff.value = { phase: "failed", problem: errorText(error) };
    }
  }
}

const kSplitKey = "oriel.changes.split";

// Whether diffs are shown in two columns. Kept by the browser, if it keeps anything.
export const wantsSplit = signal(readSplit());

export function chooseSplit(isSplit: boolean): void {
  wantsSplit.value = isSplit;
  try {
    localStorage.setItem(kSplitKey, isSplit ? "yes" : "no");
  } catch {
    // Until the page is closed.
  }
}

function readSplit(): boolean {
  try {
    return localStorage.getItem(kSplitKey) === "yes";
  } catch {
    return false;
  }
}

const bySession = new Map<string, Signal<readonly LineComment[]>>();

export function commentsOf(sessionId: string): Signal<readonly LineComment[]> {
  let comments = bySession.get(sessionId);
  if (!comments) bySession.set(sessionId, (comments = signal<readonly LineComment[]>([])));
  return comments;
}
