// The current time, updated every second while the page is visible.
import { signal } from "@preact/signals";

export const now = signal(Date.now());

function tick(): void {
  if (!document.hidden) now.value = Date.now();
}

export function startClock(): void {
  setInterval(tick, 1000);
  document.addEventListener("visibilitychange", tick);
}
