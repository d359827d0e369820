// Past sessions, read from the transcripts that agents have left; /api/import.
import { signal } from "@preact/signals";
import { headersFor } from "./upload";
import { refreshSessions } from "./store";

export interface ImportProgress {
  state: "idle" | "running" | "done" | "cancelled" | "failed";
  folders?: string[];
  files_total: number;
  files_done: number;
  bytes_total: number;
  bytes_done: number;
  sessions: number;
  turns: number;
  files_unchanged?: number;
  files_failed?: number;
  lines_skipped?: number;
  skipped?: { path: string; offset?: number; why: string }[];
  error?: string;
}

export interface ImportPlan {
  files_total: number;
  bytes_total: number;
  files_unchanged: number;
  files_old: number;
}

export const progress = signal<ImportProgress | undefined>(undefined); // undefined: not known yet

async function call(method: string, body?: object): Promise<Response> {
  const headers = headersFor();
  if (body) headers.set("Content-Type", "application/json");
  return fetch("api/import", { method, headers, body: body ? JSON.stringify(body) : undefined, cache: "no-store" });
}

async function answerOf<T>(response: Response): Promise<T> {
  const answer = (await response.json().catch(() => ({}))) as T & { error?: { message?: string; hint?: string } };
  if (response.ok) return answer;
  throw new Error(answer.error?.message ? `${answer.error.message}. ${answer.error.hint ?? ""}` : `the server answered ${response.status}`);
}

export async function askProgress(): Promise<void> {
  const before = progress.peek()?.state;
  progress.value = await answerOf<ImportProgress>(await call("GET"));
  if (progress.value.state === "running" || before === "running") refreshSessions(); // what is imported is told by no event
}

export async function beginImport(): Promise<void> {
  progress.value = await answerOf<ImportProgress>(await call("POST", {}));
}

export async function lookFirst(): Promise<ImportPlan> {
  return answerOf<ImportPlan>(await call("POST", { dry_run: true }));
}

export async function endImport(): Promise<void> {
  await answerOf(await call("DELETE"));
  await askProgress();
}
