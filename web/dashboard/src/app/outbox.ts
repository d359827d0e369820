// Messages of the user: shown at once, then with their status. A failed message keeps its text. The request id makes a message safe
// to send again: the server accepts it once.
import { signal, type Signal } from "@preact/signals";
import { api, applySnapshot, errorText } from "./store";

export interface Outgoing {
  requestId: string;
  text: string;
  files: File[];
  isVoice: boolean;
  at: number; // ms since 1970
  status: "sending" | "sent" | "failed";
  problem: string;
}

const bySession = new Map<string, Signal<readonly Outgoing[]>>();

export function outboxOf(sessionId: string): Signal<readonly Outgoing[]> {
  let outbox = bySession.get(sessionId);
  if (!outbox) bySession.set(sessionId, (outbox = signal<readonly Outgoing[]>([])));
  return outbox;
}

function change(sessionId: string, requestId: string, fields: Partial<Outgoing>): void {
  const outbox = outboxOf(sessionId);
  outbox.value = outbox.value.map((message) => (message.requestId === requestId ? { ...message, ...fields } : message));
}

export function drop(sessionId: string, requestId: string): void {
  const outbox = outboxOf(sessionId);
  outbox.value = outbox.value.filter((message) => message.requestId !== requestId);
}

export function sendMessage(sessionId: string, text: string, options: { files?: File[]; isVoice?: boolean } = {}): void {
  const message: Outgoing = {
    requestId: crypto.randomUUID?.() ?? `r-${Date.now()}-${Math.random().toString(36).slice(2)}`, text, files: options.files ?? [],
    isVoice: options.isVoice ?? false, at: Date.now(), status: "sending", problem: "",
  };
  const outbox = outboxOf(sessionId);
  outbox.value = [...outbox.value, message];
  void deliver(sessionId, message);
}

export function sendAgain(sessionId: string, message: Outgoing): void {
  change(sessionId, message.requestId, { status: "sending", problem: "" });
  void deliver(sessionId, message);
}

async function deliver(sessionId: string, message: Outgoing): Promise<void> {
  const { requestId, text, files, isVoice } = message;
  try {
    if (files.length > 0) await api.addTurn(formOf(sessionId, message));
    else if (isVoice) await api.addTurn({ session_id: sessionId, text, source: "voice", request_id: requestId });
    else await api.message(sessionId, text, requestId);
    change(sessionId, requestId, { status: "sent" });
  } catch (error) {
    change(sessionId, requestId, { status: "failed", problem: errorText(error) });
  }
}

function formOf(sessionId: string, message: Outgoing): FormData {
  const form = new FormData();
  form.append("session_id", sessionId);
  form.append("request_id", message.requestId);
  if (message.text) form.append("text", message.text);
  for (const file of message.files) form.append("file", file, file.name);
  return form;
}

export type ActionState = { status: "idle" } | { status: "running" } | { status: "failed"; problem: string };

// An action that runs once at a time and keeps its error.
export function action(): { state: Signal<ActionState>; run: (what: () => Promise<unknown>) => Promise<boolean> } {
  const state = signal<ActionState>({ status: "idle" });
  const run = async (what: () => Promise<unknown>): Promise<boolean> => {
    if (state.peek().status === "running") return false;
    state.value = { status: "running" };
    try {
      await what();
      state.value = { status: "idle" };
      return true;
    } catch (error) {
      state.value = { status: "failed", problem: errorText(error) };
      return false;
    }
  };
  return { state, run };
}

export async function endSession(sessionId: string): Promise<void> {
  applySnapshot(await api.end(sessionId));
}
