// The playback of a past session: which events have happened at a position. Pauses are shortened to kMaxPause.
import type { NamedEvent } from "./event_name";
import { timeOf } from "./position";

const kMaxPause = 2000; // ms

export interface Playback {
  events: NamedEvent[];
  times: Float64Array; // of each event, ms at speed 1
  length: number; // ms
}

export function playbackOf(events: readonly NamedEvent[]): Playback {
  const sorted = [...events].sort((a, b) => a.index - b.index);
  const times = new Float64Array(sorted.length);
  let position = 0;
  let last = sorted.length > 0 ? timeOf(sorted[0]!.timestamp) : 0;
  sorted.forEach((event, i) => {
    const time = timeOf(event.timestamp);
    position += Math.min(Math.max(0, time - last), kMaxPause);
    last = Math.max(last, time);
    times[i] = position;
  });
  return { events: sorted, times, length: position };
}

// The number of events up to a position.
export function countUpTo(playback: Playback, position: number): number {
  let low = 0;
  let high = playback.times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (playback.times[middle]! <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
