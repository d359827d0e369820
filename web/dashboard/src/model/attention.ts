// Everything that needs the user, of all sessions, oldest first.
import { timeOf } from "./position";
import type { Permission, Session } from "@oriel/client";

export type Need =
  | { kind: "permission"; key: string; since: number; session: Session; permission: Permission }
  | { kind: "failed"; key: string; since: number; session: Session }
  | { kind: "elsewhere"; key: string; since: number; session: Session }; // an observed agent asks in its terminal

export function needsOf(sessions: Iterable<Session>): Need[] {
  const needs: Need[] = [];
  for (const session of sessions) {
    for (const permission of session.permissions) {
      const key = `${session.session_id}/${permission.permission_id}`;
      needs.push({ kind: "permission", key, since: timeOf(permission.asked_at), session, permission });
    }
    if (session.status === "failed") {
      needs.push({ kind: "failed", key: `${session.session_id}/failed/${session.updated_at}`, since: timeOf(session.updated_at), session });
    } else if (session.is_observed && session.is_live && session.state === "awaiting_input") {
      needs.push({ kind: "elsewhere", key: `${session.session_id}/asks/${session.turns}`, since: timeOf(session.updated_at), session });
    }
  }
  return needs.sort((a, b) => a.since - b.since || (a.key < b.key ? -1 : 1));
}

// The activity of a session. Every session has exactly one.
export type Activity = "needs_you" | "failed" | "working" | "idle" | "ended";
export const kActivities: readonly Activity[] = ["needs_you", "working", "idle", "failed", "ended"];

export function activityOf(session: Session): Activity {
  if (session.status === "completed") return "ended";
  if (session.permissions.length > 0 || (session.state === "awaiting_input" && session.is_live)) return "needs_you";
  if (session.status === "failed") return "failed";
  if (session.status === "running" || session.state === "processing" || session.state === "commanded") return "working";
  return "idle";
}

export function countActivities(sessions: Iterable<Session>): Record<Activity, number> {
  const counts: Record<Activity, number> = { needs_you: 0, failed: 0, working: 0, idle: 0, ended: 0 };
  for (const session of sessions) counts[activityOf(session)] += 1;
  return counts;
}
