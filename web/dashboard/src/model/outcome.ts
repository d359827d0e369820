// How the last task of a session ended. The snapshot of a session does not say it: it follows from the newest events.
import type { Session } from "@oriel/client";
import { nameOf, type NamedEvent } from "./event_name";

export type Outcome =
  | { kind: "completed" }
  | { kind: "failed" | "interrupted"; reason: string }
  | { kind: "lost_question"; reason: string }; // the question that was open when the server stopped

// A session, how its last task ended (undefined while one runs, and until it is known), and the beginning of the agent's last
// message: `last_text` is its end.
export type PageSession = Session & { outcome?: Outcome; words?: string };

export const kOutcomeTypes = ["completion", "error", "status", "permission_resolved", "state_transition"]; // all that foldOutcome() reads

export function foldOutcome(outcome: Outcome | undefined, event: NamedEvent): Outcome | undefined {
  switch (nameOf(event)) {
    case "state_transition": return afterTransition(outcome, String(event.data?.trigger ?? ""));
    case "permission_resolved":
      return event.status === "withdrawn" && event.data?.by === "restart" ? { kind: "lost_question", reason: event.data.title || event.text } : outcome;
    case "session_event": break;
    default: return outcome;
  }
  switch (event.type) {
    case "status": return event.text === "running" ? undefined : outcome;
    case "error": return outcome?.kind === "lost_question" ? outcome : { kind: "failed", reason: event.text };
    case "completion": return afterCompletion(outcome, event);
    default: return outcome;
  }
}

function afterCompletion(outcome: Outcome | undefined, event: NamedEvent): Outcome {
  if (event.status === "cancelled") return { kind: "interrupted", reason: event.data?.by ? `Interrupted by ${event.data.by}` : "" };
  if (event.status !== "error") return { kind: "completed" };
  if (outcome?.kind === "lost_question") return outcome;
  return { kind: "failed", reason: String(event.data?.detail ?? "") || (outcome?.kind === "failed" ? outcome.reason : "") };
}

function afterTransition(outcome: Outcome | undefined, trigger: string): Outcome | undefined {
  if (trigger === "interrupt") return { kind: "interrupted", reason: "Interrupted in its terminal" };
  if (trigger === "restart" && outcome?.kind === "failed") return { kind: "interrupted", reason: outcome.reason };
  return outcome;
}

// Keeps what is known about the task of a snapshot, and about its last message.
export function withOutcome(snapshot: PageSession, known: PageSession | undefined): PageSession {
  if (!known) return snapshot;
  const next = { ...snapshot };
  if (known.outcome && !next.outcome && known.task_id === next.task_id && next.status === "idle") next.outcome = known.outcome;
  if (known.words && !next.words && known.last_text === next.last_text) next.words = known.words;
  return next;
}

const kMaxWords = 500;

export const beginningOf = (text: string): string => text.slice(0, kMaxWords);

export const wordsOf = (session: PageSession): string => session.words ?? session.last_text;

// Whether the events must be asked.
export function isOutcomeUnknown(session: PageSession): boolean {
  return !session.outcome && !session.is_observed && session.status === "idle" && session.task_id !== "" && session.queued === 0;
}

// Why a session needs attention; empty if it does not, or nobody said why.
export function reasonOf(session: PageSession): string {
  if (session.status === "failed") return session.reason;
  return session.outcome && session.outcome.kind !== "completed" ? session.outcome.reason : "";
}
