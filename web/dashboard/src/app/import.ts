// The import of past sessions from the transcripts of agents.
import { signal } from "@preact/signals";
import type { ImportProgress } from "@oriel/client";
import { api, refreshSessions } from "./store";

export const progress = signal<ImportProgress | undefined>(undefined); // undefined until the first response

export async function loadProgress(): Promise<void> {
  const before = progress.peek()?.state;
  progress.value = await api.importProgress();
  if (progress.value.state === "running" || before === "running") refreshSessions(); // an import publishes no events
}

export async function startImport(): Promise<void> {
  progress.value = await api.startImport();
}

export async function cancelImport(): Promise<void> {
  progress.value = await api.cancelImport();
  refreshSessions();
}
