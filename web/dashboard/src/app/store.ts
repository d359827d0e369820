// The store of the page: folds the stream and snapshots into signals that components read. Events are folded as they arrive;
// signals change at most every kDrawInterval, so that many events cost few renderings.
import { batch, signal, type Signal } from "@preact/signals";
import { openStream, OrielApi, OrielError, type ConnectionState, type EventStream, type Gap, type OrielEvent, type Session } from "@oriel/client";
import { countActivities, needsOf, type Need, type Activity } from "../model/attention";
import { beginningOf, type Outcome, type PageSession } from "../model/outcome";
import { removeDeleted, emptySessionMap, foldEvents, foldSnapshot } from "../model/session_map";

const kDrawInterval = 120; // ms
const kMaxSessions = 1000;
const kTail = 500;

export const api = new OrielApi();

export const connection = signal<ConnectionState>({ phase: "connecting" });
export const gap = signal<(Gap & { at: number }) | null>(null);
export const sessions = signal<readonly PageSession[]>([]);
export const needs = signal<readonly Need[]>([]);
export const counts = signal<Record<Activity, number>>(countActivities([]));
export const isLoaded = signal(false);
export const loadProblem = signal("");
export const tail = signal<readonly OrielEvent[]>([]); // the newest events, newest last
export const received = signal(0); // number of events since the page was opened

const projectNames = signal<ReadonlyMap<string, string>>(new Map());

// A discovered project has an id derived from its path, and a readable name.
export function projectName(id: string): string {
  return projectNames.value.get(id) || id;
}

const map = emptySessionMap();
const bySession = new Map<string, Signal<PageSession | undefined>>();
const dirty = new Set<string>();
const updatedSince = new Set<string>();
const listeners = new Set<(events: readonly OrielEvent[]) => void>();
let newTail: OrielEvent[] = [];
let receivedCount = 0;
let stream: EventStream | undefined;
let drawTimer: ReturnType<typeof setTimeout> | undefined;
let drawnAt = 0;
let wasLive = false;

// The current state of one session.
export function sessionSignal(id: string): Signal<PageSession | undefined> {
  let session = bySession.get(id);
  if (!session) bySession.set(id, (session = signal(map.sessions.get(id))));
  return session;
}

export function onEvents(listener: (events: readonly OrielEvent[]) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function retryNow(): void {
  stream?.retryNow();
  if (!isLoaded.value) void loadSessions();
}

// Opens the stream before the snapshot: events between them are in both, and are folded once.
export function start(): void {
  stream = openStream();
  stream.onEvents(receiveEvents);
  stream.onGap((next) => {
    gap.value = { ...next, at: Date.now() };
    void loadSessions();
  });
  stream.onState(receiveState);
  receiveState(stream.state);
  setTimeout(() => {
    if (!isLoaded.value) void loadSessions();
  }, 1500);
}

function receiveState(state: ConnectionState): void {
  connection.value = state;
  const isLive = state.phase === "live" || state.phase === "catching_up";
  if (isLive && !wasLive) void loadSessions();
  wasLive = isLive;
}

function receiveEvents(events: OrielEvent[]): void {
  receivedCount += events.length;
  newTail = newTail.concat(events.length > kTail ? events.slice(-kTail) : events).slice(-kTail);
  const folded = foldEvents(map, events);
  for (const id of folded.changed) {
    dirty.add(id);
    updatedSince.add(id);
  }
  for (const id of folded.unknown) void loadSession(id);
  for (const listener of listeners) listener(events);
  scheduleDraw();
}

// For changes without events.
export function refreshSessions(): void {
  void loadSessions();
}

let loading: Promise<void> | undefined;

async function loadSessions(): Promise<void> {
  if (loading) return loading;
  loading = (async () => {
    updatedSince.clear();
    try {
      const { sessions: list } = await api.sessions({ limit: kMaxSessions });
      for (const id of foldSnapshot(map, list)) dirty.add(id);
      for (const id of removeDeleted(map, list, updatedSince)) dirty.add(id);
      loadProblem.value = "";
      draw(); // who sees that they are loaded finds them
      isLoaded.value = true;
      void loadProjects();
      for (const id of map.waiting.keys()) void loadSession(id);
    } catch (error) {
      loadProblem.value = errorText(error);
      setTimeout(() => void loadSessions(), 5000);
    }
    scheduleDraw();
  })();
  await loading;
  loading = undefined;
}

async function loadProjects(): Promise<void> {
  try {
    const { projects } = await api.projects();
    projectNames.value = new Map(projects.map((project) => [project.project_id, project.name]));
  } catch {
    // The ids are shown instead.
  }
}

const requested = new Set<string>();

// Repeats until the snapshot is as new as the received events.
export async function loadSession(id: string): Promise<void> {
  if (requested.has(id)) return;
  requested.add(id);
  for (let attempt = 0; attempt < 5; ++attempt) {
    try {
      for (const changed of foldSnapshot(map, [await api.session(id)])) dirty.add(changed);
      scheduleDraw();
      if (!map.waiting.has(id)) break;
    } catch (error) {
      if (error instanceof OrielError && error.status === 404) break;
    }
    await new Promise((resolve) => setTimeout(resolve, 300 * 2 ** attempt));
  }
  requested.delete(id);
}

// Applies a session from a response.
export function applySnapshot(session: Session): void {
  for (const id of foldSnapshot(map, [session])) dirty.add(id);
  draw();
}

// Applies how a task ended, and its answer, if it is still the last one.
export function applyOutcome(id: string, task: string, outcome: Outcome, answer: string): void {
  const session = map.sessions.get(id);
  if (!session || session.outcome || session.task_id !== task || session.status !== "idle") return;
  const words = answer.endsWith(session.last_text) ? { words: beginningOf(answer) } : {};
  map.sessions.set(id, { ...session, ...words, outcome });
  dirty.add(id);
  scheduleDraw();
}

function scheduleDraw(): void {
  if (drawTimer !== undefined) return;
  drawTimer = setTimeout(draw, Math.max(0, drawnAt + kDrawInterval - performance.now()));
}

function draw(): void {
  clearTimeout(drawTimer);
  drawTimer = undefined;
  drawnAt = performance.now();
  batch(() => {
    received.value = receivedCount;
    if (newTail[newTail.length - 1] !== tail.value[tail.value.length - 1]) tail.value = newTail;
    if (dirty.size === 0) return;
    for (const id of dirty) {
      const session = bySession.get(id);
      if (session) session.value = map.sessions.get(id);
    }
    dirty.clear();
    const all = [...map.sessions.values()].filter((session) => !session.is_archived);
    sessions.value = all;
    const activity = countActivities(all);
    if (JSON.stringify(activity) !== JSON.stringify(counts.value)) counts.value = activity;
    const waiting = needsOf(all);
    if (waiting.length > 0 || needs.value.length > 0) needs.value = waiting;
  });
}

export function errorText(error: unknown): string {
  if (error instanceof OrielError) return error.hint ? `${error.message}. ${error.hint}` : error.message;
  return error instanceof Error ? error.message : String(error);
}
