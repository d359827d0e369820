// The filter, grouping and layout of the overview, stored in the URL.
import { kActivities, activityOf, inOrder, type Activity } from "./attention";
import type { PageSession } from "./outcome";

export type Grouping = "state" | "project";
export type Layout = "list" | "cards" | "board";
export const kLayouts: readonly Layout[] = ["list", "cards", "board"];

// With more sessions than this when the view opens, a list is shown unless the user has chosen another layout.
const kFewSessions = 15;

export const defaultLayout = (sessions: number): Layout => (sessions > kFewSessions ? "list" : "cards");

export interface OverviewFilter {
  text: string;
  project: string;
  agent: string;
  activity: Activity | "";
  grouping: Grouping;
  layout: Layout | ""; // empty: what the user has chosen before, else by the number of sessions
}

export function readFilter(query: URLSearchParams): OverviewFilter {
  const activity = query.get("state") ?? "";
  const layout = query.get("view") ?? "";
  return {
    text: query.get("text") ?? "",
    project: query.get("project") ?? "",
    agent: query.get("agent") ?? "",
    activity: kActivities.find((known) => known === activity) ?? "",
    grouping: query.get("by") === "project" ? "project" : "state",
    layout: kLayouts.find((known) => known === layout) ?? "",
  };
}

export function writeFilter(filter: OverviewFilter): URLSearchParams {
  const query = new URLSearchParams();
  if (filter.text) query.set("text", filter.text);
  if (filter.project) query.set("project", filter.project);
  if (filter.agent) query.set("agent", filter.agent);
  if (filter.activity) query.set("state", filter.activity);
  if (filter.grouping !== "state") query.set("by", filter.grouping);
  if (filter.layout) query.set("view", filter.layout);
  return query;
}

export function passes(session: PageSession, filter: OverviewFilter): boolean {
  if (filter.project && session.project_id !== filter.project) return false;
  if (filter.agent && session.agent !== filter.agent) return false;
  if (filter.activity && activityOf(session) !== filter.activity) return false;
  if (!filter.text) return true;
  const searched = [session.title, session.last_text, session.project_id, session.agent, session.workspace, session.session_id, ...(session.labels ?? [])].join("\n").toLowerCase();
  return filter.text.toLowerCase().split(/\s+/).every((word) => searched.includes(word));
}

export interface Group {
  key: string;
  title: string;
  sessions: PageSession[];
}

export const kActivityLabels: Record<Activity, string> = {
  needs_you: "Needs you", working: "Working", idle: "Idle", failed: "Failed", interrupted: "Interrupted", ended: "Ended",
};

export function groupsOf(sessions: Iterable<PageSession>, filter: OverviewFilter): Group[] {
  const found = inOrder(sessions).filter((session) => passes(session, filter));
  const shown = [...found.filter((session) => session.is_pinned), ...found.filter((session) => !session.is_pinned)];
  if (filter.grouping === "project" && filter.layout !== "board") {
    const projects = new Map<string, PageSession[]>();
    for (const session of shown) {
      const list = projects.get(session.project_id);
      if (list) list.push(session);
      else projects.set(session.project_id, [session]);
    }
    const names = [...projects.keys()].sort((a, b) => (a === "" ? 1 : b === "" ? -1 : a < b ? -1 : 1));
    return names.map((name) => ({ key: name, title: name || "No project", sessions: projects.get(name)! }));
  }
  const groups = kActivities.map((activity) => ({
    key: activity, title: kActivityLabels[activity], sessions: shown.filter((session) => activityOf(session) === activity),
  }));
  const isColumn = (key: string): boolean => filter.layout === "board" && key !== "interrupted"; // also without sessions
  return groups.filter((group) => group.sessions.length > 0 || isColumn(group.key));
}
