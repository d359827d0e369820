// One agent as a row of the compact list.
import { projectName, sessionSignal } from "../app/store";
import { activeAt, activityOf } from "../model/attention";
import { wordsOf } from "../model/outcome";
import { addressOf } from "../model/route";
import { spentOf, tokensOf } from "../model/usage";
import { count, money } from "../text/format";
import { visibleLine } from "../text/visible";
import { stateLabel } from "../ui/state_pill";
import { NowLine, Since, titleOf } from "./session_card";

export function SessionLine({ id }: { id: string }) {
  const session = sessionSignal(id).value;
  if (!session) return null;
  const activity = activityOf(session);
  const spent = spentOf(session.total_usage);
  const isAtWork = activity === "working" || activity === "needs_you";
  return (
    <a class="line" data-activity={activity} data-session-id={id} href={addressOf("session", { sessionId: id })}>
      <span class="pill-dot" data-activity={activity} aria-hidden="true" />
      <span class="sr-only">{stateLabel(session)}</span>
      <span class="line-title" dir="auto">{titleOf(session)}</span>
      <div class="line-now" dir="auto">{NowLine({ session }) ?? visibleLine(wordsOf(session), 200)}</div>
      <span class="line-project">{session.project_id && <span class="tag">{visibleLine(projectName(session.project_id), 30)}</span>}</span>
      <span class="line-agent">{session.agent}</span>
      <span class="line-spent">{spent.cost > 0 ? money(spent.cost) : tokensOf(spent) > 0 && `${count(tokensOf(spent))} tok`}</span>
      <span class="line-time"><Since time={isAtWork ? session.created_at : activeAt(session)} form={isAtWork ? "elapsed" : "ago"} /></span>
    </a>
  );
}
