// What needs the user, and the order of sessions everywhere.
import { timeOf } from "./position";
import type { PageSession } from "./outcome";
import type { Permission } from "@oriel/client";

export type Need =
  | { kind: "permission"; key: string; since: number; session: PageSession; permission: Permission }
  | { kind: "failed"; key: string; since: number; session: PageSession }
  | { kind: "lost"; key: string; since: number; session: PageSession } // a question that was open when the server stopped
  | { kind: "elsewhere"; key: string; since: number; session: PageSession }; // an observed agent asks in its terminal

// What waits for the user, oldest first, then what has failed.
export function needsOf(sessions: Iterable<PageSession>): Need[] {
  const waiting: Need[] = [];
  const failed: Need[] = [];
  for (const session of inOrder(sessions)) {
    const id = session.session_id;
    if (isAskingElsewhere(session)) {
      waiting.push({ kind: "elsewhere", key: `${id}/asks/${session.turns}`, since: timeOf(session.updated_at), session });
    } else if (activityOf(session) === "needs_you" && session.permissions.length === 0) {
      waiting.push({ kind: "lost", key: `${id}/lost/${session.task_id}`, since: timeOf(session.updated_at), session });
    } else {
      for (const permission of session.permissions) {
        waiting.push({ kind: "permission", key: `${id}/${permission.permission_id}`, since: timeOf(permission.asked_at), session, permission });
      }
    }
    if (activityOf(session) === "failed") failed.push({ kind: "failed", key: `${id}/failed/${session.task_id}/${session.turns}`, since: timeOf(session.updated_at), session });
  }
  return [...waiting.sort((a, b) => a.since - b.since || (a.key < b.key ? -1 : 1)), ...failed];
}

// An observed agent can only be answered in its terminal.
function isAskingElsewhere(session: PageSession): boolean {
  return session.is_observed && session.is_live && (session.state === "awaiting_input" || session.permissions.length > 0);
}

// The activity of a session. Every session has exactly one.
export type Activity = "needs_you" | "failed" | "interrupted" | "working" | "idle" | "ended";
export const kActivities: readonly Activity[] = ["needs_you", "working", "idle", "failed", "interrupted", "ended"];

export function activityOf(session: PageSession): Activity {
  if (session.status === "completed") return "ended";
  if (session.permissions.length > 0 || (session.state === "awaiting_input" && session.is_live)) return "needs_you";
  if (session.status === "failed") return "failed";
  const isWorking = session.status === "running" || session.state === "processing" || session.state === "commanded";
  if (session.silence === "gone") return isWorking ? "interrupted" : "ended";
  if (isWorking) return "working";
  switch (session.outcome?.kind) {
    case "failed": return "failed";
    case "interrupted": return "interrupted";
    case "lost_question": return "needs_you";
    default: return "idle";
  }
}

// When somebody last worked in a session: not when its idle agent was stopped, which updates it too.
export function activeAt(session: PageSession): number {
  return timeOf(session.state_since ?? undefined) || timeOf(session.updated_at);
}

export function countActivities(sessions: Iterable<PageSession>): Record<Activity, number> {
  const counts: Record<Activity, number> = { needs_you: 0, failed: 0, interrupted: 0, working: 0, idle: 0, ended: 0 };
  for (const session of sessions) counts[activityOf(session)] += 1;
  return counts;
}

// By activity; those that need the user longest waiting first, the others newest first.
export function inOrder(sessions: Iterable<PageSession>): PageSession[] {
  const rows = [...sessions].map((session) => {
    const activity = activityOf(session);
    return { session, rank: kActivities.indexOf(activity), since: activity === "needs_you" ? waitingSince(session) : 0 };
  });
  rows.sort((a, b) => a.rank - b.rank || a.since - b.since || byCreation(a.session, b.session));
  return rows.map(({ session }) => session);
}

function waitingSince(session: PageSession): number {
  const asked = session.permissions.map((permission) => timeOf(permission.asked_at));
  return asked.length > 0 ? Math.min(...asked) : timeOf(session.updated_at);
}

function byCreation(a: PageSession, b: PageSession): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1;
  return a.session_id < b.session_id ? -1 : 1;
}
