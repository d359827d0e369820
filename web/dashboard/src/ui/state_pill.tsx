import { activityOf } from "../model/attention";
import type { Session } from "@oriel/client";

// The label of a session's state.
export function stateLabel(session: Session): string {
  if (session.status === "failed") return "failed";
  if (session.status === "completed") return "ended";
  if (session.permissions.length > 0) return "needs you";
  if (session.state === "awaiting_input") return "waiting for input";
  if (session.silence === "gone") return "exited";
  if (session.silence === "unknown") return "silent";
  if (session.state === "commanded") return session.status === "running" ? "working" : "starting";
  if (session.status === "running" || session.state === "processing") return "working";
  return session.turns === 0 ? "new" : "idle";
}

export function StatePill({ session }: { session: Session }) {
  return <span class="pill" data-activity={activityOf(session)}><span class="pill-dot" aria-hidden="true" />{stateLabel(session)}</span>;
}
