// Tokens and cost, if the agent reports them.
import type { Usage } from "@oriel/client";

export interface Spent {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  cost: number;
  contextUsed: number;
  contextSize: number;
  isKnown: boolean;
}

export const kNothingSpent: Spent = {
  input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, contextUsed: 0, contextSize: 0, isKnown: false,
};

function number(usage: Usage, key: string): number {
  const value = usage[key];
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

export function spentOf(usage: Usage | null | undefined): Spent {
  if (!usage || Object.keys(usage).length === 0) return kNothingSpent;
  return {
    input: number(usage, "input_tokens"),
    output: number(usage, "output_tokens"),
    cacheRead: number(usage, "cache_read_tokens"),
    cacheWrite: number(usage, "cache_write_tokens"),
    cost: number(usage, "cost_usd"),
    contextUsed: number(usage, "context_used"),
    contextSize: number(usage, "context_size"),
    isKnown: true,
  };
}

// Adds the usage of a task to the total of its session, like the server. The context is replaced, not added.
export function addUsage(total: Usage | null, usage: Usage): Usage {
  const sum: Usage = { ...total };
  for (const [key, value] of Object.entries(usage)) {
    const sumSoFar = sum[key];
    const addsUp = typeof sumSoFar === "number" && typeof value === "number" && !key.startsWith("context_");
    sum[key] = addsUp ? sumSoFar + value : value;
  }
  return sum;
}

export function tokensOf(spent: Spent): number {
  return spent.input + spent.output;
}
