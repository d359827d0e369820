// The current time, updated every second while the page is visible.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { signal, type ReadonlySignal } from "@preact/signals";

export const now = signal(Date.now());

// The clock of the views below: that of the wall, or of the moment that is replayed.
export const Clock = createContext<ReadonlySignal<number>>(now);

export function useTime(): number {
  return useContext(Clock).value;
}

function tick(): void {
  if (!document.hidden) now.value = Date.now();
}

export function startClock(): void {
  setInterval(tick, 1000);
  document.addEventListener("visibilitychange", tick);
}
