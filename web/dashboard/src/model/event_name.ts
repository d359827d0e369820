// The name of an event on the stream. GET /api/sessions/{id}/events omits it; it follows from the other keys.
import type { SessionEvent } from "@oriel/client";

export type NamedEvent = SessionEvent & { event?: string };

export function nameOf(event: NamedEvent): string {
  if (event.event) return event.event;
  const data = event.data !== null && typeof event.data === "object" ? (event.data as Record<string, unknown>) : {};
  if (event.type === "permission") return event.status === "pending" ? "permission_requested" : "permission_resolved";
  if (typeof data.actor === "string" && typeof data.intent === "string") {
    if (typeof data.update_type === "string") return "turn_updated";
    return event.type === "system" && data.entry_id ? "turn_detected" : "turn_created";
  }
  if (event.type !== "system") return "session_event";
  if (typeof data.to_state === "string") return "state_transition";
  if (typeof data.turns === "number") return "agent" in data ? "session_imported" : "session_ended";
  if (typeof data.agent === "string") return "session_created";
  if (typeof data.kind === "string") return "agent_silence";
  if (typeof data.agent_id === "string") return "session_resumed";
  return "session_event";
}
