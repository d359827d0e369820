// How long to wait before the next attempt.

const LONGEST = 3_600_000; // ms that a server can make us wait

// Full jitter: anything from `least` to a bound that doubles with each attempt (1, 2, ...). `least` is what the server asks
// for; clients that it sends away together still come back apart.
export function delay(attempt: number, least: number, min: number, max: number, random: number): number {
  const bound = Math.min(max, min * 2 ** (attempt - 1));
  return least + random * (Math.max(bound, least + min) - least);
}

export const bearable = (ms: unknown): number => Math.min(Math.max(Number(ms) || 0, 0), LONGEST);

// ms; the header has seconds, or a date.
export function retryAfter(header: string | null, now: number): number | undefined {
  if (!header) return undefined;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : bearable(ms);
}
