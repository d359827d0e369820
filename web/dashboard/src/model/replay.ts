// A past session played again from its events: which of them have happened at a moment of the playback. Silence longer than
// kLongestWait is shortened to it.
import type { OrielEvent } from "@oriel/client";
import { timeOf } from "./place";

const kLongestWait = 2000;

export interface Playback {
  events: OrielEvent[];
  moments: Float64Array; // of each event, ms of the playback at speed 1
  length: number;
}

export function playbackOf(events: readonly OrielEvent[]): Playback {
  const sorted = [...events].sort((a, b) => a.index - b.index);
  const moments = new Float64Array(sorted.length);
  let moment = 0;
  let last = sorted.length > 0 ? timeOf(sorted[0]!.timestamp) : 0;
  sorted.forEach((event, i) => {
    const time = timeOf(event.timestamp);
    moment += Math.min(Math.max(0, time - last), kLongestWait);
    last = Math.max(last, time);
    moments[i] = moment;
  });
  return { events: sorted, moments, length: moment };
}

// How many events have happened.
export function happened(playback: Playback, moment: number): number {
  let low = 0;
  let high = playback.moments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (playback.moments[middle]! <= moment) low = middle + 1;
    else high = middle;
  }
  return low;
}
