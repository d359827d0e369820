// The playback of a past session: which events have happened at a position. Pauses are shortened to kMaxPause.
import type { NamedEvent } from "./event_name";
import { timeOf } from "./position";

const kMaxPause = 2000; // ms

export interface Playback {
  events: NamedEvent[];
  times: Float64Array; // of each event, ms at speed 1
  moments: Float64Array; // when each event happened, ms since 1970, never falling
  length: number; // ms
}

export function playbackOf(events: readonly NamedEvent[]): Playback {
  const sorted = [...events].sort((a, b) => a.index - b.index);
  const times = new Float64Array(sorted.length);
  const moments = new Float64Array(sorted.length);
  let position = 0;
  let last = sorted.length > 0 ? timeOf(sorted[0]!.timestamp) : 0;
  sorted.forEach((event, i) => {
    const time = timeOf(event.timestamp);
    position += Math.min(Math.max(0, time - last), kMaxPause);
    last = Math.max(last, time);
    times[i] = position;
    moments[i] = last;
  });
  return { events: sorted, times, moments, length: position };
}

// The number of events up to a position.
export function countUpTo(playback: Playback, position: number): number {
  return countOf(playback.times, position);
}

// When what is shown at a position happened, ms since 1970.
export function momentAt({ times, moments }: Playback, position: number): number {
  return interpolate(times, moments, position);
}

// The position of a moment.
export function positionAt({ times, moments }: Playback, moment: number): number {
  return interpolate(moments, times, moment);
}

// How long the session took up to a moment, and in all, ms.
export function elapsedAt({ moments }: Playback, moment: number): { elapsed: number; total: number } {
  const start = moments[0] ?? 0;
  return { elapsed: Math.max(0, moment - start), total: (moments[moments.length - 1] ?? 0) - start };
}

// The number of sorted values up to a limit.
function countOf(sorted: Float64Array, limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The value of `to` where `from` has this value; both are sorted.
function interpolate(from: Float64Array, to: Float64Array, value: number): number {
  const next = countOf(from, value);
  if (next === 0) return to[0] ?? 0;
  if (next === from.length) return to[next - 1]!;
  const [before, after] = [from[next - 1]!, from[next]!];
  return to[next - 1]! + ((value - before) / (after - before)) * (to[next]! - to[next - 1]!);
}
