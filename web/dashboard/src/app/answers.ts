// Answers to what agents ask. The first one counts, wherever it was given; whoever comes later is told so.
import { signal, type Signal } from "@preact/signals";
import { OrielError, type Answer } from "@oriel/client";
import { api, loadSession, problemOf } from "./store";

export type Answering = { status: "open" } | { status: "sending" } | { status: "sent" } | { status: "late" } | { status: "failed"; problem: string };

const byPermission = new Map<string, Signal<Answering>>();

export function answeringOf(permissionId: string): Signal<Answering> {
  let held = byPermission.get(permissionId);
  if (!held) byPermission.set(permissionId, (held = signal<Answering>({ status: "open" })));
  return held;
}

export async function giveAnswer(sessionId: string, permissionId: string, answer: Answer): Promise<void> {
  const state = answeringOf(permissionId);
  if (state.peek().status === "sending" || state.peek().status === "sent") return;
  state.value = { status: "sending" };
  try {
    await api.answer(sessionId, permissionId, answer);
    state.value = { status: "sent" };
  } catch (error) {
    const isLate = error instanceof OrielError && (error.status === 409 || error.status === 404);
    state.value = isLate ? { status: "late" } : { status: "failed", problem: problemOf(error) };
    if (isLate) void loadSession(sessionId);
  }
}
