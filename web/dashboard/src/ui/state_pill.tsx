import { standingOf } from "../model/attention";
import type { Session } from "../model/types";

// A session's state in a person's words.
export function stateWords(session: Session): string {
  if (session.status === "failed") return "failed";
  if (session.status === "completed") return "ended";
  if (session.permissions.length > 0) return "asks you";
  if (session.state === "awaiting_input") return "waits for input";
  if (session.silence === "gone") return "gone";
  if (session.silence === "unknown") return "silent";
  if (session.state === "commanded") return session.status === "running" ? "working" : "starting";
  if (session.status === "running" || session.state === "processing") return "working";
  return session.turns === 0 ? "new" : "at rest";
}

export function StatePill({ session }: { session: Session }) {
  return <span class="pill" data-standing={standingOf(session)}><span class="pill-dot" aria-hidden="true" />{stateWords(session)}</span>;
}
