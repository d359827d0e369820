// Tokens and money, where the agent tells.
import type { Usage } from "./types";

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

// What a session has used, and one turn more: as the server adds it up. How full the context is does not add up.
export function addUsage(total: Usage | null, usage: Usage): Usage {
  const sum: Usage = { ...total };
  for (const [key, value] of Object.entries(usage)) {
    const held = sum[key];
    const addsUp = typeof held === "number" && typeof value === "number" && !key.startsWith("context_");
    sum[key] = addsUp ? held + value : value;
  }
  return sum;
}

export function tokensOf(spent: Spent): number {
  return spent.input + spent.output;
}
