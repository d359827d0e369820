// Delays before the next connection attempt, in milliseconds.

const MAX_DELAY = 3_600_000; // the longest delay that a server can request

// Full jitter between `floor` and a bound that doubles with each attempt (1, 2, ...). `floor` is the delay that the server
// requests; the jitter above it spreads clients that were disconnected together.
export function delay(attempt: number, floor: number, min: number, max: number, random: number): number {
  const bound = Math.min(max, min * 2 ** (attempt - 1));
  return floor + random * (Math.max(bound, floor + min) - floor);
}

export const clampDelay = (ms: unknown): number => Math.min(Math.max(Number(ms) || 0, 0), MAX_DELAY);

// The header holds seconds or a date.
export function retryAfter(header: string | null, now: number): number | undefined {
  if (!header) return undefined;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : clampDelay(ms);
}
