import { activityOf, type Activity } from "../model/attention";
import { reasonOf, type PageSession } from "../model/outcome";
import { visibleLine } from "../text/visible";

const kLabels: Record<Activity, string> = {
  needs_you: "needs you", failed: "failed", interrupted: "interrupted", working: "working", idle: "idle", ended: "ended",
};

// The label of a session's state.
export function stateLabel(session: PageSession): string {
  const activity = activityOf(session);
  if (session.status !== "completed" && session.silence === "gone") return "exited";
  if (activity === "working" && session.silence === "unknown") return "silent";
  if (activity === "working" && session.state === "commanded" && session.status !== "running") return "starting";
  if (activity === "idle" && session.turns === 0) return "new";
  return kLabels[activity];
}

export function StatePill({ session }: { session: PageSession }) {
  return (
    <span class="pill" data-activity={activityOf(session)} title={visibleLine(reasonOf(session), 200) || undefined}>
      <span class="pill-dot" aria-hidden="true" />{stateLabel(session)}
    </span>
  );
}
