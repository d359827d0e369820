// Answers to permission requests. The first answer counts; a later one gets the status "late".
import { signal, type Signal } from "@preact/signals";
import { OrielError, type Answer } from "@oriel/client";
import { api, errorText, loadSession } from "./store";

export type Answering = { status: "open" } | { status: "sending" } | { status: "sent" } | { status: "late" } | { status: "failed"; problem: string };

const byPermission = new Map<string, Signal<Answering>>();

export function answeringOf(permissionId: string): Signal<Answering> {
  let state = byPermission.get(permissionId);
  if (!state) byPermission.set(permissionId, (state = signal<Answering>({ status: "open" })));
  return state;
}

export async function sendAnswer(sessionId: string, permissionId: string, answer: Answer): Promise<void> {
  const state = answeringOf(permissionId);
  if (state.peek().status === "sending" || state.peek().status === "sent") return;
  state.value = { status: "sending" };
  try {
    await api.answer(sessionId, permissionId, answer);
    state.value = { status: "sent" };
  } catch (error) {
    const isLate = error instanceof OrielError && (error.status === 409 || error.status === 404);
    state.value = isLate ? { status: "late" } : { status: "failed", problem: errorText(error) };
    if (isLate) void loadSession(sessionId);
  }
}
