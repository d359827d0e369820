// The name an event has on the stream. GET /api/sessions/{id}/events has only the type, from which the name follows.
import type { OrielEvent } from "@oriel/client";

type Told = Pick<OrielEvent, "type" | "text" | "data" | "status"> & { event?: string };

export function nameOf(event: Told): string {
  if (event.event) return event.event;
  const data = event.data;
  const told = data !== null && typeof data === "object" ? (data as Record<string, unknown>) : {};
  if (event.type === "permission") return event.status === "pending" ? "permission_requested" : "permission_resolved";
  if (typeof told.actor === "string" && typeof told.intent === "string") {
    if (typeof told.update_type === "string") return "turn_updated";
    return event.type === "system" && event.text === "" && told.entry_id ? "turn_detected" : "turn_created";
  }
  if (event.type !== "system") return "session_event";
  if (typeof told.to_state === "string") return "state_transition";
  if (event.text === "session created" || event.text === "session seen") return "session_created";
  if (event.text.startsWith("session ended")) return "session_ended";
  return "session_event";
}
