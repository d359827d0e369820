// All sessions: folds snapshots and the stream into one map. A snapshot never overwrites newer events, and an event that a snapshot
// includes changes nothing, so the result does not depend on the order.
import type { OrielEvent, Session } from "@oriel/client";
import { withOutcome, type PageSession } from "./outcome";
import { emptySession, foldSession } from "./session_fold";

export interface SessionMap {
  sessions: Map<string, PageSession>;
  waiting: Map<string, OrielEvent[]>; // events of sessions whose earlier events are missing, until a snapshot arrives
}

export function emptySessionMap(): SessionMap {
  return { sessions: new Map(), waiting: new Map() };
}

const kSessionEvents = new Set(["session_created", "session_ended", "session_resumed", "session_event", "state_transition",
  "permission_requested", "permission_resolved", "turn_created", "turn_updated", "turn_detected", "agent_silence"]);

// False for events that services publish.
function isOfSession(event: OrielEvent): boolean {
  return event.session_id !== "" && kSessionEvents.has(event.event);
}

export interface Folded {
  changed: Set<string>; // sessions
  unknown: Set<string>; // sessions that need a snapshot because earlier events are missing
}

export function foldEvents(map: SessionMap, events: readonly OrielEvent[]): Folded {
  const folded: Folded = { changed: new Set(), unknown: new Set() };
  for (const event of events) {
    if (event.event === "session_updated" && event.session_id === "") {
      const id = organize(map, event);
      if (id) folded.changed.add(id);
      continue;
    }
    if (!isOfSession(event)) continue;
    const id = event.session_id;
    const waiting = map.waiting.get(id);
    if (waiting) {
      waiting.push(event);
      continue;
    }
    const session = map.sessions.get(id) ?? emptySession(id);
    if (event.index > session.last_index + 1) {
      map.waiting.set(id, [event]);
      folded.unknown.add(id);
      continue;
    }
    const next = foldSession(session, event);
    if (next === session) continue;
    map.sessions.set(id, next);
    folded.changed.add(id);
  }
  return folded;
}

// A person has renamed, pinned, archived or labelled a session. The event has no index of the session.
function organize(map: SessionMap, event: OrielEvent): string | undefined {
  const data = event.data ?? {};
  const id = String(data.session_id ?? "");
  const session = map.sessions.get(id);
  if (!session) return undefined;
  map.sessions.set(id, {
    ...session, title: String(data.title ?? session.title), is_pinned: data.is_pinned === true, is_archived: data.is_archived === true,
    labels: Array.isArray(data.labels) ? data.labels.map(String) : [],
  });
  return id;
}

export function foldSnapshot(map: SessionMap, sessions: readonly PageSession[]): Set<string> {
  const changed = new Set<string>();
  for (const session of sessions) {
    const id = session.session_id;
    const known = map.sessions.get(id);
    const waiting = map.waiting.get(id);
    if (known && known.last_index > session.last_index && !waiting) continue;
    let next = withOutcome(session, known);
    if (waiting) {
      if (waiting[0]!.index > session.last_index + 1) continue; // the snapshot is too old
      for (const event of waiting) next = foldSession(next, event);
      map.waiting.delete(id);
    }
    map.sessions.set(id, next);
    changed.add(id);
  }
  return changed;
}

// Removes the sessions that a complete snapshot lacks, except those with events since its request.
export function removeDeleted(map: SessionMap, sessions: readonly Session[], updatedSince: ReadonlySet<string>): string[] {
  const listed = new Set(sessions.map((session) => session.session_id));
  const isGone = (id: string): boolean => !listed.has(id) && !updatedSince.has(id) && !map.sessions.get(id)!.is_archived; // which no list has
  const deleted = [...map.sessions.keys()].filter(isGone);
  for (const id of deleted) map.sessions.delete(id);
  return deleted;
}
