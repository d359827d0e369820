// The replay of a session from the journal: a position in it, and the clock, session and conversation of that moment.
import { batch, signal } from "@preact/signals";
import type { SessionEvent } from "@oriel/client";
import { Conversation } from "../model/conversation";
import type { PageSession } from "../model/outcome";
import { countUpTo, elapsedAt, momentAt, playbackOf, positionAt, type Playback } from "../model/replay";
import { emptySession, foldSession } from "../model/session_fold";
import type { SessionView } from "./session_view";
import { api, errorText, sessionSignal } from "./store";

const kFrame = 60; // ms

export class Replay {
  readonly playback = signal<Playback | undefined>(undefined); // undefined until the journal is read
  readonly problem = signal("");
  readonly position = signal(0); // ms, with shortened pauses
  readonly isPlaying = signal(true);
  readonly speed = signal(4);
  readonly moment = signal(0); // ms since 1970
  readonly session = signal<PageSession | undefined>(undefined);
  readonly version = signal(0); // increases with each change of the conversation
  conversation = new Conversation();
  private shown = 0; // events
  private readonly timer: ReturnType<typeof setInterval>;
  private isClosed = false;

  constructor(private readonly view: SessionView) {
    this.timer = setInterval(() => this.step(), kFrame);
    void this.load();
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.timer);
  }

  get progress(): { elapsed: number; total: number } {
    const playback = this.playback.value;
    return playback ? elapsedAt(playback, this.moment.value) : { elapsed: 0, total: 0 };
  }

  toggle(): void {
    const playback = this.playback.peek();
    if (playback && this.position.peek() >= playback.length) this.show(0);
    this.isPlaying.value = !this.isPlaying.peek();
  }

  seek(position: number): void {
    this.isPlaying.value = false;
    this.show(position);
  }

  // Goes to what happened at a time, ms since 1970.
  seekMoment(moment: number): void {
    const playback = this.playback.peek();
    if (playback) this.seek(positionAt(playback, moment));
  }

  private step(): void {
    const playback = this.playback.peek();
    if (!playback || !this.isPlaying.peek()) return;
    this.show(Math.min(playback.length, this.position.peek() + kFrame * this.speed.peek()));
    if (this.position.peek() >= playback.length) this.isPlaying.value = false;
  }

  private async load(): Promise<void> {
    try {
      const events = await readJournal(this.view);
      if (this.isClosed) return;
      this.playback.value = playbackOf(events);
      this.show(0);
    } catch (error) {
      this.problem.value = errorText(error);
    }
  }

  private show(position: number): void {
    const playback = this.playback.peek()!;
    const target = countUpTo(playback, position);
    const isBack = target < this.shown;
    if (isBack) this.conversation = new Conversation();
    const events = playback.events.slice(isBack ? 0 : this.shown, target);
    this.conversation.addAll(events);
    const before = isBack ? undefined : this.session.peek();
    this.shown = target;
    batch(() => {
      this.position.value = position;
      this.moment.value = momentAt(playback, position);
      this.session.value = events.reduce(foldSession, before ?? this.newSession());
      this.version.value += 1;
    });
  }

  // The session before its first event. What it was started with is known although that event may no longer be stored.
  private newSession(): PageSession {
    const { id } = this.view;
    const known = sessionSignal(id).peek();
    if (!known) return emptySession(id);
    const { agent, project_id, title, owner, workspace, created_at, is_observed, is_imported, node } = known;
    return { ...emptySession(id), agent, project_id, title, owner, workspace, created_at, is_observed, is_imported, node };
  }
}

async function readJournal(view: SessionView): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  let since = view.oldestStored - 1;
  for (;;) {
    const page = await api.events(view.id, { since_index: since, limit: 5000 });
    events.push(...page.events);
    if (!page.has_more || page.events.length === 0) return events;
    since = page.last_index;
  }
}
