// One agent on the overview: its current activity, last message and cost; and its question, which is answered here.
import { useTime } from "../app/clock";
import { projectName, sessionSignal } from "../app/store";
import { watchersOf } from "../app/watchers";
import { timeOf } from "../model/position";
import { addressOf } from "../model/route";
import { activeAt, activityOf } from "../model/attention";
import type { Session } from "@oriel/client";
import { reasonOf, wordsOf, type PageSession } from "../model/outcome";
import { spentOf, tokensOf } from "../model/usage";
import { ago, count, elapsed, money, plural } from "../text/format";
import { kindOfTool } from "../text/tool";
import { visibleLine } from "../text/visible";
import { Icon } from "../ui/icons";
import { StatePill } from "../ui/state_pill";
import { ToolIcon } from "../ui/tool_icon";
import { AskPanel } from "./ask_panel";

export function titleOf(session: Session): string {
  return visibleLine(session.title, 90) || visibleLine(session.workspace.split("/").pop() ?? "", 60) || session.session_id;
}

// A component of its own, so that the clock renders only this.
export function Since({ time, form }: { time: string | number; form: "elapsed" | "ago" }) {
  const since = typeof time === "number" ? time : timeOf(time);
  const ms = Math.max(0, useTime() - since);
  if (!since) return null;
  return <time dateTime={new Date(since).toISOString()}>{form === "ago" ? ago(ms) : elapsed(ms)}</time>;
}

export function NowLine({ session }: { session: PageSession }) {
  if (session.permissions.length > 0) {
    return <p class="now now-asks"><Icon name="needs" /><span>{visibleLine(session.permissions[0]!.title, 120)}</span></p>;
  }
  const activity = activityOf(session);
  if (activity === "failed") return <p class="now now-failed"><span>{visibleLine(reasonOf(session), 160) || "No reason given"}</span></p>;
  if (activity === "interrupted") return <p class="now"><span>{visibleLine(reasonOf(session), 160) || "Interrupted"}</span></p>;
  if (activity === "needs_you" && session.outcome?.kind === "lost_question") {
    return <p class="now now-asks"><Icon name="needs" /><span>{`Question lost: ${visibleLine(session.outcome.reason, 120)}`}</span></p>;
  }
  if (session.tool) {
    return <p class="now"><ToolIcon kind={kindOfTool(session.tool.tool_name, undefined)} /><span class="mono">{visibleLine(session.tool.tool_name, 60)}</span><Since time={session.tool.since} form="elapsed" /></p>;
  }
  if (session.silence === "question") return <p class="now now-asks"><Icon name="needs" /><span>waiting for an answer in its terminal</span></p>;
  if (session.silence === "unknown") return <p class="now"><span>no recent output</span></p>;
  if (session.status === "running") return <p class="now now-thinking"><span>thinking</span></p>;
  if (session.state === "commanded") {
    return <p class="now now-thinking"><span>no output yet</span>{session.state_since && <Since time={session.state_since} form="elapsed" />}</p>;
  }
  if (session.queued > 0) return <p class="now"><span>{session.queued} queued</span></p>;
  return null;
}

// Rows of a request that a card shows at first. Nothing is allowed before the rest is opened.
const kFoldRows = 8;

// Whether its card asks. An observed agent is answered in its terminal.
export const isAsking = (session: Session): boolean => session.permissions.length > 0 && !session.is_observed;

export function SessionCard({ id }: { id: string }) {
  const session = sessionSignal(id).value;
  if (!session) return null;
  const [asked] = isAsking(session) ? session.permissions : [];
  const spent = spentOf(session.total_usage);
  const watchers = watchersOf(id);
  const activity = activityOf(session);
  return (
    <article class="card" data-activity={activity} data-session-id={id} data-asks={asked ? "" : undefined}>
      <div class="card-head">
        <h3 class="card-title"><a class="card-link" dir="auto" href={addressOf("session", { sessionId: id })}>{titleOf(session)}</a></h3>
        <StatePill session={session} />
      </div>
      <p class="card-meta">
        {session.project_id && <span class="tag">{visibleLine(projectName(session.project_id), 40)}</span>}
        <span>{session.agent}</span>
        {session.is_observed && <span class="observed" title="Not run by Oriel"><Icon name="eye" /><span class="observed-word">observed</span></span>}
      </p>
      {asked ? (
        <div class="card-ask">
          <AskPanel key={asked.permission_id} sessionId={id} permission={asked} keys="off" foldRows={kFoldRows} />
          {session.permissions.length > 1 && <p class="hint">{plural(session.permissions.length - 1, "more question")}</p>}
        </div>
      ) : <div class="card-now"><NowLine session={session} /></div>}
      <p class="card-text" dir="auto">{visibleLine(wordsOf(session), 240)}</p>
      <p class="card-foot">
        {activity === "working" || activity === "needs_you" ? <Since time={session.created_at} form="elapsed" /> : <Since time={activeAt(session)} form="ago" />}
        <span>{plural(session.turns, "turn")}</span>
        {spent.isKnown && tokensOf(spent) > 0 && <span title="Tokens of the session">{count(tokensOf(spent))} tok</span>}
        {spent.cost > 0 && <span title="Cost of the session">{money(spent.cost)}</span>}
        {session.queued > 0 && <span>{session.queued} queued</span>}
        {watchers > 1 && <span class="watchers" title={plural(watchers, "watcher")}><Icon name="eye" />{watchers}</span>}
      </p>
    </article>
  );
}
