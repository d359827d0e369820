// The number of watchers of a session: clients of the stream whose filter passes it. Polled while the page is visible, by
// those who may see the clients.
import { signal } from "@preact/signals";
import type { Client } from "@oriel/client";
import { may, me } from "./rights";
import { api, sessionSignal } from "./store";

export const filters = signal<readonly Client["filters"][]>([]);

export function watchersOf(sessionId: string): number {
  const project = sessionSignal(sessionId).value?.project_id ?? "";
  return filters.value.filter(({ project_id, session_id }) =>
    (session_id.length === 0 || session_id.includes(sessionId)) && (project_id.length === 0 || project_id.includes(project))).length;
}

export function startWatchers(): void {
  const poll = async (): Promise<void> => {
    if (document.hidden || !me.peek() || !may("admin")) return;
    try {
      const next = (await api.clients()).clients.map((client) => client.filters);
      if (JSON.stringify(next) !== JSON.stringify(filters.peek())) filters.value = next;
    } catch {
      // The connection status shows the problem.
    }
  };
  setInterval(() => void poll(), 10_000);
  me.subscribe(() => void poll());
}
