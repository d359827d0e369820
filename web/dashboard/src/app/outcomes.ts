// Asks how the last tasks of idle sessions ended, which their snapshots do not say: once for each task, few at a time, newest first.
import { effect } from "@preact/signals";
import { foldOutcome, isOutcomeUnknown, kOutcomeTypes, type Outcome, type PageSession } from "../model/outcome";
import { api, applyOutcome, sessions } from "./store";

const kAtOnce = 4;
const kMax = 200; // sessions, the last updated ones
const kEvents = 80; // a task ends at most so many events before the newest one

const asked = new Set<string>();
let running = 0;

export function startOutcomes(): void {
  effect(() => askNext(sessions.value));
}

function askNext(all: readonly PageSession[]): void {
  if (running >= kAtOnce || !all.some(isToBeAsked)) return;
  const newest = [...all].sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1)).slice(0, kMax);
  for (const session of newest.filter(isToBeAsked).slice(0, kAtOnce - running)) {
    asked.add(keyOf(session));
    running += 1;
    void ask(session).finally(() => {
      running -= 1;
      askNext(sessions.peek());
    });
  }
}

const isToBeAsked = (session: PageSession): boolean => isOutcomeUnknown(session) && !asked.has(keyOf(session));
const keyOf = (session: PageSession): string => `${session.session_id}/${session.task_id}`;

async function ask({ session_id: id, task_id: task, last_index: last }: PageSession): Promise<void> {
  try {
    const page = await api.events(id, { since_index: Math.max(-1, last - kEvents), types: kOutcomeTypes });
    const outcome = page.events.reduce<Outcome | undefined>((before, event) => foldOutcome(before, event), undefined);
    const answer = page.events.filter((event) => event.type === "completion").pop()?.text ?? "";
    applyOutcome(id, task, outcome ?? { kind: "completed" }, answer);
  } catch {
    // The session stays idle: its events are no longer stored, or the connection status shows the problem.
  }
}
