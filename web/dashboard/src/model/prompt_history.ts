// The messages that the arrow keys bring back into an empty message box.
import type { Item } from "./items";

const kMax = 100;

// Those of the session, then those that were sent elsewhere; newest first, each once.
export function promptHistory(items: readonly Item[], elsewhere: readonly string[]): string[] {
  const own = items.flatMap((item) => (item.kind === "message" && item.role === "user" && item.text.trim() ? [item.text] : [])).reverse();
  return [...new Set([...own, ...elsewhere])].slice(0, kMax);
}

// The place after a step to older (1) or newer (-1) ones; -1 is the empty box. Undefined if the key is not for the history, because
// the box holds something else.
export function historyStep(history: readonly string[], at: number, step: 1 | -1, draft: string): number | undefined {
  const isThere = at >= 0 ? history[at] === draft : draft === "";
  if (!isThere) return undefined;
  const next = at + step;
  return next < -1 || next >= history.length ? undefined : next;
}
