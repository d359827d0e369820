// How many watch a session: those of the stream whose filter lets it pass. Asked for now and then, while somebody looks.
import { signal } from "@preact/signals";
import { api, sessionSignal } from "./store";

interface Filters {
  project_id: string[];
  session_id: string[];
}

export const clients = signal<readonly Filters[]>([]);

export function watchersOf(sessionId: string): number {
  const project = sessionSignal(sessionId).value?.project_id ?? "";
  return clients.value.filter(({ project_id, session_id }) =>
    (session_id.length === 0 || session_id.includes(sessionId)) && (project_id.length === 0 || project_id.includes(project))).length;
}

export function startWatchers(): void {
  const ask = async (): Promise<void> => {
    if (document.hidden) return;
    try {
      const told = (await api.clients()).clients.map((client) => client.filters);
      if (JSON.stringify(told) !== JSON.stringify(clients.peek())) clients.value = told;
    } catch {
      // The connection's own light says more.
    }
  };
  setInterval(() => void ask(), 10_000);
  setTimeout(() => void ask(), 800);
}
