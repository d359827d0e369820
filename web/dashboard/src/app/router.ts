import { signal } from "@preact/signals";
import { addressOf, parseRoute, type Route, type View } from "../model/route";

export const route = signal<Route>(parseRoute(location.hash));

export function startRouter(): void {
  addEventListener("hashchange", () => {
    route.value = parseRoute(location.hash);
  });
}

export function go(view: View, options: { sessionId?: string; query?: URLSearchParams; replace?: boolean } = {}): void {
  const address = addressOf(view, options);
  if (address === location.hash) return;
  if (options.replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  route.value = parseRoute(address);
}
