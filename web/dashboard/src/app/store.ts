// The page's one store: the stream and the snapshots folded into signals, which components read. Events are folded as they
// come; what is drawn follows at most kDrawEvery apart, so that a flood of events costs few renderings.
import { batch, signal, type Signal } from "@preact/signals";
import { openStream, OrielApi, OrielError, type ConnectionState, type EventStream, type Gap, type OrielEvent } from "@oriel/client";
import { countStandings, needsOf, type Need, type Standing } from "../model/attention";
import { dropForgotten, emptyFleet, foldEvents, foldSnapshot } from "../model/fleet";
import type { Session } from "../model/types";
import { readToken } from "./access";

const kDrawEvery = 120;
const kMostSessions = 1000;
const kTail = 500;

export const token = readToken();
export const api = new OrielApi({ token });

export const connection = signal<ConnectionState>({ phase: "connecting" });
export const gap = signal<(Gap & { at: number }) | null>(null);
export const sessions = signal<readonly Session[]>([]);
export const needs = signal<readonly Need[]>([]);
export const counts = signal<Record<Standing, number>>(countStandings([]));
export const isLoaded = signal(false);
export const loadProblem = signal("");
export const tail = signal<readonly OrielEvent[]>([]); // the newest events of all kinds, newest last
export const heard = signal(0); // events since the page was opened

const projectNames = signal<ReadonlyMap<string, string>>(new Map());

// A project that Oriel found itself has an id made of its path, and a name for people.
export function nameOfProject(id: string): string {
  return projectNames.value.get(id) || id;
}

const fleet = emptyFleet();
const bySession = new Map<string, Signal<Session | undefined>>();
const dirty = new Set<string>();
const heardSince = new Set<string>();
const listeners = new Set<(events: readonly OrielEvent[]) => void>();
let newTail: OrielEvent[] = [];
let heardCount = 0;
let stream: EventStream | undefined;
let drawTimer: ReturnType<typeof setTimeout> | undefined;
let drawnAt = 0;
let wasLive = false;

// One session as it is now; components that read it are drawn again when it changes.
export function sessionSignal(id: string): Signal<Session | undefined> {
  let held = bySession.get(id);
  if (!held) bySession.set(id, (held = signal(fleet.sessions.get(id))));
  return held;
}

export function onEvents(listener: (events: readonly OrielEvent[]) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function retryNow(): void {
  stream?.retryNow();
  if (!isLoaded.value) void loadSessions();
}

// The stream first, then the snapshot: what happens between them is told by both, and folded once.
export function start(): void {
  stream = openStream({ token });
  stream.onEvents(takeEvents);
  stream.onGap((told) => {
    gap.value = { ...told, at: Date.now() };
    void loadSessions();
  });
  stream.onState(takeState);
  takeState(stream.state);
  setTimeout(() => {
    if (!isLoaded.value) void loadSessions();
  }, 1500);
}

function takeState(state: ConnectionState): void {
  connection.value = state;
  const isLive = state.phase === "live" || state.phase === "catching_up";
  if (isLive && !wasLive) void loadSessions();
  wasLive = isLive;
}

function takeEvents(events: OrielEvent[]): void {
  heardCount += events.length;
  newTail = newTail.concat(events.length > kTail ? events.slice(-kTail) : events).slice(-kTail);
  const folded = foldEvents(fleet, events);
  for (const id of folded.changed) {
    dirty.add(id);
    heardSince.add(id);
  }
  for (const id of folded.unknown) void loadSession(id);
  for (const listener of listeners) listener(events);
  scheduleDraw();
}

// For what no event tells of.
export function refreshSessions(): void {
  void loadSessions();
}

let loading: Promise<void> | undefined;

async function loadSessions(): Promise<void> {
  if (loading) return loading;
  loading = (async () => {
    heardSince.clear();
    try {
      const { sessions: told } = await api.sessions({ limit: kMostSessions });
      const list = told as Session[];
      for (const id of foldSnapshot(fleet, list)) dirty.add(id);
      for (const id of dropForgotten(fleet, list, heardSince)) dirty.add(id);
      loadProblem.value = "";
      isLoaded.value = true;
      void loadProjects();
      for (const id of fleet.waiting.keys()) void loadSession(id);
    } catch (error) {
      loadProblem.value = problemOf(error);
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
    // Their ids do as well.
  }
}

const asked = new Set<string>();

// Until a snapshot is as new as what was heard.
export async function loadSession(id: string): Promise<void> {
  if (asked.has(id)) return;
  asked.add(id);
  for (let attempt = 0; attempt < 5; ++attempt) {
    try {
      const told = (await api.session(id)) as Session;
      for (const changed of foldSnapshot(fleet, [told])) dirty.add(changed);
      scheduleDraw();
      if (!fleet.waiting.has(id)) break;
    } catch (error) {
      if (error instanceof OrielError && error.status === 404) break;
    }
    await new Promise((resolve) => setTimeout(resolve, 300 * 2 ** attempt));
  }
  asked.delete(id);
}

// A session that an answer of the server holds.
export function learnSession(session: Session): void {
  for (const id of foldSnapshot(fleet, [session])) dirty.add(id);
  draw();
}

function scheduleDraw(): void {
  if (drawTimer !== undefined) return;
  drawTimer = setTimeout(draw, Math.max(0, drawnAt + kDrawEvery - performance.now()));
}

function draw(): void {
  clearTimeout(drawTimer);
  drawTimer = undefined;
  drawnAt = performance.now();
  batch(() => {
    heard.value = heardCount;
    if (newTail[newTail.length - 1] !== tail.value[tail.value.length - 1]) tail.value = newTail;
    if (dirty.size === 0) return;
    for (const id of dirty) {
      const held = bySession.get(id);
      if (held) held.value = fleet.sessions.get(id);
    }
    dirty.clear();
    const all = [...fleet.sessions.values()];
    sessions.value = all;
    const standing = countStandings(all);
    if (JSON.stringify(standing) !== JSON.stringify(counts.value)) counts.value = standing;
    const waiting = needsOf(all);
    if (waiting.length > 0 || needs.value.length > 0) needs.value = waiting;
  });
}

export function problemOf(error: unknown): string {
  if (error instanceof OrielError) return error.hint ? `${error.message}. ${error.hint}` : error.message;
  return error instanceof Error ? error.message : String(error);
}
