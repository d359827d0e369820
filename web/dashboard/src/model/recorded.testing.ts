// What the real server said: recorded events of a session it ran and of an agent it observed, and its snapshots of both.
import { readFileSync } from "node:fs";
import type { OrielEvent } from "@oriel/client";
import type { Session, Turn } from "./types";

const folder = new URL(process.env.ORIEL_RECORDED ?? "../../../../../../web/dashboard/recorded/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");

export function recorded(name: "hosted" | "observed"): OrielEvent[] {
  return read(`${name}.jsonl`).trim().split("\n").map((line) => JSON.parse(line) as OrielEvent);
}

// As GET /api/sessions/{id}/events has them: without the stream's name.
export function asPolled(events: readonly OrielEvent[]): OrielEvent[] {
  return events.map(({ event: _event, id: _id, sequence: _sequence, ...rest }) => rest as OrielEvent);
}

export function snapshots(): Session[] {
  return JSON.parse(read("sessions.json")) as Session[];
}

export function recordedTurns(): { hosted: Turn[]; observed: Turn[] } {
  return JSON.parse(read("turns.json")) as { hosted: Turn[]; observed: Turn[] };
}

// The same shuffle for the same seed.
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
