// What a person sends shows at once, and then says what became of it. What failed keeps its words. A request's id makes it
// safe to send again: the server takes it once.
import { signal, type Signal } from "@preact/signals";
import { headersFor } from "./upload";
import { api, learnSession, problemOf } from "./store";
import type { Session } from "../model/types";

export interface Send {
  requestId: string;
  text: string;
  files: File[];
  isVoice: boolean;
  at: number;
  status: "sending" | "sent" | "failed";
  problem: string;
}

const bySession = new Map<string, Signal<readonly Send[]>>();

export function sendsOf(sessionId: string): Signal<readonly Send[]> {
  let held = bySession.get(sessionId);
  if (!held) bySession.set(sessionId, (held = signal<readonly Send[]>([])));
  return held;
}

function change(sessionId: string, requestId: string, what: Partial<Send>): void {
  const held = sendsOf(sessionId);
  held.value = held.value.map((send) => (send.requestId === requestId ? { ...send, ...what } : send));
}

export function drop(sessionId: string, requestId: string): void {
  const held = sendsOf(sessionId);
  held.value = held.value.filter((send) => send.requestId !== requestId);
}

export function sendMessage(sessionId: string, text: string, options: { files?: File[]; isVoice?: boolean } = {}): void {
  const send: Send = {
    requestId: crypto.randomUUID?.() ?? `r-${Date.now()}-${Math.random().toString(36).slice(2)}`, text, files: options.files ?? [],
    isVoice: options.isVoice ?? false, at: Date.now(), status: "sending", problem: "",
  };
  const held = sendsOf(sessionId);
  held.value = [...held.value, send];
  void deliver(sessionId, send);
}

export function sendAgain(sessionId: string, send: Send): void {
  change(sessionId, send.requestId, { status: "sending", problem: "" });
  void deliver(sessionId, send);
}

async function deliver(sessionId: string, send: Send): Promise<void> {
  try {
    if (send.files.length > 0 || send.isVoice) await postTurn(sessionId, send);
    else await api.message(sessionId, send.text, send.requestId);
    change(sessionId, send.requestId, { status: "sent" });
  } catch (error) {
    change(sessionId, send.requestId, { status: "failed", problem: problemOf(error) });
  }
}

// Files and what was spoken are turns of their own kind.
async function postTurn(sessionId: string, send: Send): Promise<void> {
  let body: BodyInit;
  const headers = headersFor();
  if (send.files.length > 0) {
    const form = new FormData();
    form.append("session_id", sessionId);
    form.append("request_id", send.requestId);
    if (send.text) form.append("text", send.text);
    for (const file of send.files) form.append("file", file, file.name);
    body = form;
  } else {
    headers.set("Content-Type", "application/json");
    body = JSON.stringify({ session_id: sessionId, text: send.text, source: "voice", request_id: send.requestId });
  }
  const response = await fetch("api/turns", { method: "POST", headers, body, cache: "no-store", signal: AbortSignal.timeout(120_000) });
  if (response.ok) return;
  const answer = (await response.json().catch(() => ({}))) as { error?: { message?: string; hint?: string } };
  throw new Error(answer.error?.message ? `${answer.error.message}. ${answer.error.hint ?? ""}` : `the server answered ${response.status}`);
}

export type Act = { status: "idle" } | { status: "doing" } | { status: "failed"; problem: string };

// Something that is done once at a time, and says when it failed.
export function action(): { state: Signal<Act>; run: (what: () => Promise<unknown>) => Promise<boolean> } {
  const state = signal<Act>({ status: "idle" });
  const run = async (what: () => Promise<unknown>): Promise<boolean> => {
    if (state.peek().status === "doing") return false;
    state.value = { status: "doing" };
    try {
      await what();
      state.value = { status: "idle" };
      return true;
    } catch (error) {
      state.value = { status: "failed", problem: problemOf(error) };
      return false;
    }
  };
  return { state, run };
}

export async function endSession(sessionId: string): Promise<void> {
  learnSession((await api.end(sessionId)) as Session);
}
