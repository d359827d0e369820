// Recordings of the real server: the events and snapshots of a hosted session and of an observed agent.
import { readFileSync } from "node:fs";
import type { OrielEvent, Session, SessionEvent, Turn } from "@oriel/client";

const folder = new URL(process.env.ORIEL_RECORDED ?? "../../../../../../web/dashboard/recorded/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");

export function recorded(name: "hosted" | "observed"): OrielEvent[] {
  return read(`${name}.jsonl`).trim().split("\n").map((line) => JSON.parse(line) as OrielEvent);
}

// The form of GET /api/sessions/{id}/events.
export function asPolled(events: readonly OrielEvent[]): SessionEvent[] {
  return events.map(({ event: _event, id: _id, sequence: _sequence, ...rest }) => rest);
}

export function snapshots(): Session[] {
  return JSON.parse(read("sessions.json")) as Session[];
}

export function recordedTurns(): { hosted: Turn[]; observed: Turn[] } {
  return JSON.parse(read("turns.json")) as { hosted: Turn[]; observed: Turn[] };
}

// Deterministic for a seed.
export function shuffled<T>(values: readonly T[], seed: number): T[] {
  const list = [...values];
  let state = seed * 2654435761 + 1;
  for (let i = list.length - 1; i > 0; --i) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = state % (i + 1);
    [list[i], list[j]] = [list[j]!, list[i]!];
  }
  return list;
}
