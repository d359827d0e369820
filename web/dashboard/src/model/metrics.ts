// Parses Prometheus text and computes rates between two readings.

export interface Reading {
  at: number; // ms
  values: Map<string, number>;
  buckets: { le: number; count: number }[]; // of oriel_sse_delivery_seconds, cumulative
}

export function parseMetrics(text: string, at: number): Reading {
  const reading: Reading = { at, values: new Map(), buckets: [] };
  for (const line of text.split("\n")) {
    const found = /^([a-zA-Z_:][\w:]*)(?:\{([^}]*)\})?\s+(\S+)/.exec(line);
    if (!found) continue;
    const value = Number(found[3]);
    const le = /le="([^"]+)"/.exec(found[2] ?? "")?.[1];
    if (le !== undefined) {
      if (found[1] === "oriel_sse_delivery_seconds_bucket") reading.buckets.push({ le: le === "+Inf" ? Infinity : Number(le), count: value });
    } else if (Number.isFinite(value)) {
      reading.values.set(found[1]!, value);
    }
  }
  return reading;
}

// Per second; NaN if unknown. A counter that decreases has been reset.
export function rate(before: Reading | undefined, now: Reading, name: string): number {
  const a = before?.values.get(name);
  const b = now.values.get(name);
  if (!before || a === undefined || b === undefined || now.at <= before.at) return NaN;
  return (b >= a ? b - a : b) / ((now.at - before.at) / 1000);
}

// The quantile of the deliveries between two readings: the upper bound of its bucket.
export function deliveryQuantile(before: Reading | undefined, now: Reading, share: number): number {
  const counts = now.buckets.map((bucket, i) => bucket.count - (before?.buckets[i]?.count ?? 0));
  const all = counts[counts.length - 1] ?? 0;
  if (!(all > 0)) return NaN;
  const at = counts.findIndex((count) => count >= all * share);
  const bound = now.buckets[at]?.le ?? NaN;
  return bound === Infinity ? (now.buckets[at - 1]?.le ?? NaN) : bound;
}
