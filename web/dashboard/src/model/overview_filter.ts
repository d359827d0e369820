// The filter and grouping of the overview, stored in the URL.
import { kActivities, activityOf, type Activity } from "./attention";
import type { Session } from "@oriel/client";

export type Grouping = "state" | "project" | "board";

export interface OverviewFilter {
  text: string;
  project: string;
  agent: string;
  activity: Activity | "";
  grouping: Grouping;
}

export function readFilter(query: URLSearchParams): OverviewFilter {
  const activity = query.get("state") ?? "";
  const grouping = query.get("by") ?? "";
  return {
    text: query.get("text") ?? "",
    project: query.get("project") ?? "",
    agent: query.get("agent") ?? "",
    activity: kActivities.find((known) => known === activity) ?? "",
    grouping: grouping === "project" || grouping === "board" ? grouping : "state",
  };
}

export function writeFilter(filter: OverviewFilter): URLSearchParams {
  const query = new URLSearchParams();
  if (filter.text) query.set("text", filter.text);
  if (filter.project) query.set("project", filter.project);
  if (filter.agent) query.set("agent", filter.agent);
  if (filter.activity) query.set("state", filter.activity);
  if (filter.grouping !== "state") query.set("by", filter.grouping);
  return query;
}

export function passes(session: Session, filter: OverviewFilter): boolean {
  if (filter.project && session.project_id !== filter.project) return false;
  if (filter.agent && session.agent !== filter.agent) return false;
  if (filter.activity && activityOf(session) !== filter.activity) return false;
  if (!filter.text) return true;
  const searched = [session.title, session.last_text, session.project_id, session.agent, session.workspace, session.session_id].join("\n").toLowerCase();
  return filter.text.toLowerCase().split(/\s+/).every((word) => searched.includes(word));
}

export interface Group {
  key: string;
  title: string;
  sessions: Session[];
}

export const kActivityLabels: Record<Activity, string> = {
  needs_you: "Needs you", working: "Working", idle: "Idle", failed: "Failed", ended: "Ended",
};

// The order is stable: by activity, then by creation time, newest first.
export function groupsOf(sessions: Iterable<Session>, filter: OverviewFilter): Group[] {
  const shown = [...sessions].filter((session) => passes(session, filter)).sort(byCreation);
  if (filter.grouping === "project") {
    const projects = new Map<string, Session[]>();
    for (const session of shown) {
      const list = projects.get(session.project_id);
      if (list) list.push(session);
      else projects.set(session.project_id, [session]);
    }
    const names = [...projects.keys()].sort((a, b) => (a === "" ? 1 : b === "" ? -1 : a < b ? -1 : 1));
    return names.map((name) => ({ key: name, title: name || "No project", sessions: projects.get(name)!.sort(byActivity) }));
  }
  const groups = kActivities.map((activity) => ({
    key: activity, title: kActivityLabels[activity], sessions: shown.filter((session) => activityOf(session) === activity),
  }));
  return filter.grouping === "board" ? groups : groups.filter((group) => group.sessions.length > 0);
}

function byCreation(a: Session, b: Session): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1;
  return a.session_id < b.session_id ? -1 : 1;
}

function byActivity(a: Session, b: Session): number {
  return kActivities.indexOf(activityOf(a)) - kActivities.indexOf(activityOf(b)) || byCreation(a, b);
}
