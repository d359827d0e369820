// Applies events to the snapshot of a session. Returns a new session, or the same one if it includes the event already.
import type { Permission, SessionState, SessionStatus, Silence } from "@oriel/client";
import { nameOf, type NamedEvent } from "./event_name";
import { beginningOf, foldOutcome, type PageSession } from "./outcome";
import { addUsage } from "./usage";

const kMaxLastText = 500;

export function emptySession(sessionId: string): PageSession {
  return {
    session_id: sessionId, agent: "", project_id: "", title: "", owner: "", workspace: "", status: "idle", state: "idle", state_since: null,
    is_live: false,
    reason: "", created_at: "", updated_at: "", task_id: "", turns: 0, queued: 0, last_index: -1, last_text: "", tool: null,
    permissions: [], usage: null, total_usage: null, agent_session_id: "", is_observed: false, is_imported: false, silence: null,
  };
}

export function foldSession(session: PageSession, event: NamedEvent): PageSession {
  if (event.index <= session.last_index) return session;
  const next: PageSession = { ...session, last_index: event.index };
  if (event.timestamp && event.timestamp > next.updated_at) next.updated_at = event.timestamp;
  if (event.project_id && !next.project_id) next.project_id = event.project_id;
  apply(next, event, nameOf(event));
  const outcome = foldOutcome(session.outcome, event);
  if (outcome) next.outcome = outcome;
  else delete next.outcome;
  return next;
}

function apply(next: PageSession, event: NamedEvent, name: string): void {
  switch (name) {
    case "session_created": return created(next, event);
    case "session_resumed": next.is_live = true; next.silence = "none"; return;
    case "session_ended": return ended(next, event);
    case "state_transition": return moved(next, event);
    case "permission_requested": return asked(next, event);
    case "permission_resolved":
      next.permissions = next.permissions.filter((pending) => pending.permission_id !== event.data?.permission_id);
      return;
    case "agent_silence": next.silence = (event.data?.kind as Silence) ?? "unknown"; return;
    case "turn_created": return turnCreated(next, event);
    case "turn_updated": case "turn_detected": return;
    default: return applyOwn(next, event);
  }
}

function moved(next: PageSession, event: NamedEvent): void {
  next.state = (event.data?.to_state as SessionState) ?? next.state;
  if (!next.is_observed) next.state_since = event.timestamp ?? next.state_since;
}

function applyOwn(next: PageSession, event: NamedEvent): void {
  if (next.silence && next.silence !== "gone") next.silence = "none";
  switch (event.type) {
    case "status":
      next.status = event.text as SessionStatus;
      next.reason = event.text === "failed" ? String(event.data?.reason ?? "") : "";
      next.is_live = event.text === "running" || (next.is_live && event.text === "idle");
      if (event.text === "running") {
        if (event.task_id && event.task_id !== next.task_id) next.queued = Math.max(0, next.queued - 1);
        next.task_id = event.task_id ?? next.task_id;
      } else {
        next.tool = null;
        if (event.text !== "idle") next.permissions = [];
      }
      return;
    case "message":
      if (event.role === "user") {
        next.queued += 1;
        next.title ||= titleFrom(event.text);
      } else {
        say(next, event.text);
      }
      return;
    case "tool_call":
      next.tool = { tool_call_id: event.tool_call_id ?? "", tool_name: event.tool_name, since: event.timestamp ?? "" };
      return;
    case "tool_result":
      if (next.tool && next.tool.tool_call_id === event.tool_call_id) next.tool = null;
      return;
    case "completion":
      next.tool = null;
      if (event.text) say(next, event.text);
      if (event.usage) {
        next.usage = event.usage;
        next.total_usage = addUsage(next.total_usage, event.usage);
      }
      return;
    case "system":
      if (typeof event.data?.agent_session_id === "string") {
        next.agent_session_id = event.data.agent_session_id;
        next.is_live = true;
      }
  }
}

function say(next: PageSession, text: string): void {
  next.last_text = text.slice(-kMaxLastText);
  next.words = beginningOf(text);
}

function created(next: PageSession, event: NamedEvent): void {
  const data = event.data ?? {};
  next.agent = String(data.agent ?? next.agent);
  next.title = String(data.title ?? next.title);
  next.workspace = String(data.workspace ?? data.cwd ?? next.workspace);
  next.project_id = String(data.project_id ?? next.project_id);
  next.is_observed = data.is_observed === true || !event.session_id.startsWith("ses_");
  next.created_at = event.timestamp ?? next.created_at;
  if (!next.is_observed) next.state_since = event.timestamp ?? next.state_since;
}

function ended(next: PageSession, event: NamedEvent): void {
  next.is_live = false;
  next.tool = null;
  next.permissions = [];
  next.status = "completed";
  if (typeof event.data?.reason === "string") next.reason = event.data.reason;
}

function asked(next: PageSession, event: NamedEvent): void {
  const permission = event.data as Permission | undefined;
  if (!permission || next.permissions.some((pending) => pending.permission_id === permission.permission_id)) return;
  next.permissions = [...next.permissions, { ...permission, title: permission.title ?? event.text }];
}

// Of an observed agent the turn is its message, too.
function turnCreated(next: PageSession, event: NamedEvent): void {
  next.turns += 1;
  if (event.type !== "message") return;
  next.task_id = event.task_id ?? next.task_id;
  if (event.role !== "user") {
    if (event.data?.intent !== "question") say(next, event.text);
  } else if (event.data?.intent === "command") {
    next.title ||= titleFrom(event.text);
  }
}

// The server's rule: the beginning of the first line of what was asked first.
const titleFrom = (text: string): string => text.trim().split("\n", 1)[0]!.trim().slice(0, 80);
