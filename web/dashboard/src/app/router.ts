// The route of the page, and how far each entry of the history was scrolled.
import { signal } from "@preact/signals";
import { addressOf, parseRoute, type Route, type View } from "../model/route";

export const route = signal<Route>(parseRoute(location.hash));

const scrolled = new Map<number, number>(); // px, by entry of the history
let entry = 0;
let entries = 0;

export function startRouter(): void {
  arrive();
  addEventListener("hashchange", () => {
    arrive();
    route.value = parseRoute(location.hash);
  });
}

export function go(view: View, options: { sessionId?: string; query?: URLSearchParams; replace?: boolean } = {}): void {
  const address = addressOf(view, options);
  if (address === location.hash) return;
  if (options.replace) history.replaceState(history.state, "", address);
  else history.pushState(null, "", address);
  arrive();
  route.value = parseRoute(address);
}

// How far the current entry was scrolled when it was left; 0 for a new one.
export function scrollOfEntry(): number {
  return scrolled.get(entry) ?? 0;
}

export function keepScroll(top: number): void {
  scrolled.set(entry, top);
}

// An entry has its number since its first visit. Those of an earlier page are counted on.
function arrive(): void {
  const known: unknown = history.state?.entry;
  if (typeof known === "number") entry = known;
  else history.replaceState({ entry: (entry = entries + 1) }, "");
  entries = Math.max(entries, entry);
}
