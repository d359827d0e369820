// All sessions: snapshots and the stream folded into one map. A snapshot never takes back what the stream has told since,
// and an event that a snapshot holds already changes nothing: whatever comes first, the result is the same.
import type { OrielEvent } from "@oriel/client";
import { emptySession, foldSession } from "./session_fold";
import type { Session } from "./types";

export interface Fleet {
  sessions: Map<string, Session>;
  waiting: Map<string, OrielEvent[]>; // of sessions whose beginning was not heard: they wait for a snapshot
}

export function emptyFleet(): Fleet {
  return { sessions: new Map(), waiting: new Map() };
}

const kOwnNames = new Set(["session_created", "session_ended", "session_resumed", "session_event", "state_transition",
  "permission_requested", "permission_resolved", "turn_created", "turn_updated", "turn_detected", "agent_silence"]);

// An event of a session, not one that a service published.
export function isOfSession(event: OrielEvent): boolean {
  return event.session_id !== "" && kOwnNames.has(event.event);
}

export interface Folded {
  changed: Set<string>; // sessions that are not what they were
  unknown: Set<string>; // sessions of which a snapshot is needed: only a part of their story was heard
}

export function foldEvents(fleet: Fleet, events: readonly OrielEvent[]): Folded {
  const folded: Folded = { changed: new Set(), unknown: new Set() };
  for (const event of events) {
    if (!isOfSession(event)) continue;
    const id = event.session_id;
    const waiting = fleet.waiting.get(id);
    if (waiting) {
      waiting.push(event);
      continue;
    }
    const session = fleet.sessions.get(id) ?? emptySession(id);
    if (event.index > session.last_index + 1) {
      fleet.waiting.set(id, [event]);
      folded.unknown.add(id);
      continue;
    }
    const next = foldSession(session, event);
    if (next === session) continue;
    fleet.sessions.set(id, next);
    folded.changed.add(id);
  }
  return folded;
}

export function foldSnapshot(fleet: Fleet, sessions: readonly Session[]): Set<string> {
  const changed = new Set<string>();
  for (const session of sessions) {
    const id = session.session_id;
    const held = fleet.sessions.get(id);
    const waiting = fleet.waiting.get(id);
    if (held && held.last_index > session.last_index && !waiting) continue;
    let next = session;
    if (waiting) {
      if (waiting[0]!.index > session.last_index + 1) continue; // older than what was heard: a newer one has to be asked for
      for (const event of waiting) next = foldSession(next, event);
      fleet.waiting.delete(id);
    }
    fleet.sessions.set(id, next);
    changed.add(id);
  }
  return changed;
}

// A whole snapshot also tells which sessions are no more. One that was heard of since it was asked for is kept.
export function dropForgotten(fleet: Fleet, sessions: readonly Session[], heardSince: ReadonlySet<string>): string[] {
  const held = new Set(sessions.map((session) => session.session_id));
  const gone = [...fleet.sessions.keys()].filter((id) => !held.has(id) && !heardSince.has(id));
  for (const id of gone) fleet.sessions.delete(id);
  return gone;
}
