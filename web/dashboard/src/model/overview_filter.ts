// Which sessions the overview shows, and in which groups; kept in the address.
import { kStandings, standingOf, type Standing } from "./attention";
import type { Session } from "./types";

export type Grouping = "state" | "project" | "board";

export interface OverviewFilter {
  text: string;
  project: string;
  agent: string;
  standing: Standing | "";
  grouping: Grouping;
}

export function readFilter(query: URLSearchParams): OverviewFilter {
  const standing = query.get("state") ?? "";
  const grouping = query.get("by") ?? "";
  return {
    text: query.get("text") ?? "",
    project: query.get("project") ?? "",
    agent: query.get("agent") ?? "",
    standing: kStandings.find((known) => known === standing) ?? "",
    grouping: grouping === "project" || grouping === "board" ? grouping : "state",
  };
}

export function writeFilter(filter: OverviewFilter): URLSearchParams {
  const query = new URLSearchParams();
  if (filter.text) query.set("text", filter.text);
  if (filter.project) query.set("project", filter.project);
  if (filter.agent) query.set("agent", filter.agent);
  if (filter.standing) query.set("state", filter.standing);
  if (filter.grouping !== "state") query.set("by", filter.grouping);
  return query;
}

export function passes(session: Session, filter: OverviewFilter): boolean {
  if (filter.project && session.project_id !== filter.project) return false;
  if (filter.agent && session.agent !== filter.agent) return false;
  if (filter.standing && standingOf(session) !== filter.standing) return false;
  if (!filter.text) return true;
  const where = [session.title, session.last_text, session.project_id, session.agent, session.workspace, session.session_id].join("\n").toLowerCase();
  return filter.text.toLowerCase().split(/\s+/).every((word) => where.includes(word));
}

export interface Group {
  key: string;
  title: string;
  sessions: Session[];
}

export const kStandingWords: Record<Standing, string> = {
  needs_you: "Needs you", working: "Working", resting: "At rest", failed: "Failed", ended: "Ended",
};

// Groups never jump: what needs a person comes first, then by the time a session began, the newest first.
export function groupsOf(sessions: Iterable<Session>, filter: OverviewFilter): Group[] {
  const shown = [...sessions].filter((session) => passes(session, filter)).sort(byBeginning);
  if (filter.grouping === "project") {
    const projects = new Map<string, Session[]>();
    for (const session of shown) {
      const list = projects.get(session.project_id);
      if (list) list.push(session);
      else projects.set(session.project_id, [session]);
    }
    const names = [...projects.keys()].sort((a, b) => (a === "" ? 1 : b === "" ? -1 : a < b ? -1 : 1));
    return names.map((name) => ({ key: name, title: name || "No project", sessions: projects.get(name)!.sort(byStanding) }));
  }
  const groups = kStandings.map((standing) => ({
    key: standing, title: kStandingWords[standing], sessions: shown.filter((session) => standingOf(session) === standing),
  }));
  return filter.grouping === "board" ? groups : groups.filter((group) => group.sessions.length > 0);
}

function byBeginning(a: Session, b: Session): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1;
  return a.session_id < b.session_id ? -1 : 1;
}

function byStanding(a: Session, b: Session): number {
  return kStandings.indexOf(standingOf(a)) - kStandings.indexOf(standingOf(b)) || byBeginning(a, b);
}
