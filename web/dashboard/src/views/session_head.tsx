// The title, state, usage and actions of a session.
import { useMemo, useState } from "preact/hooks";
import { action, endSession } from "../app/outbox";
import type { Replay } from "../app/replay";
import { may } from "../app/rights";
import { go } from "../app/router";
import { changeStartForm } from "../app/start_form";
import { projectName } from "../app/store";
import type { SessionView } from "../app/session_view";
import { watchersOf } from "../app/watchers";
import { followUpPrompt } from "../model/follow_up";
import { addressOf } from "../model/route";
import type { Session } from "@oriel/client";
import { spentOf, tokensOf, type Spent } from "../model/usage";
import { count, money } from "../text/format";
import { visible, visibleLine } from "../text/visible";
import { Icon } from "../ui/icons";
import { StatePill } from "../ui/state_pill";
import { NowLine, Since, titleOf } from "./session_card";

interface Props {
  id: string;
  session: Session | undefined;
  view: SessionView;
  replay: Replay | undefined; // whose moment is shown
  isReplaying: boolean;
  onReplay: () => void;
}

export function SessionHead({ id, session, view, replay, isReplaying, onReplay }: Props) {
  const end = useMemo(action, [id]);
  const [isConfirming, setConfirming] = useState(false);
  const ending = end.state.value;
  const shown = replay ? replay.session.value : session;
  const canAct = may("start") && !isReplaying && session && !session.is_observed && session.status !== "completed";
  const followUp = (): void => {
    if (!session) return;
    changeStartForm({
      agent: session.agent, project: session.project_id, workspace: session.workspace, title: titleOf(session),
      message: followUpPrompt(session.workspace, view.conversation.items),
    });
    go("start");
  };
  return (
    <header class="session-head">
      <div class="session-title">
        <a class="icon-button session-back" href={addressOf("overview")} aria-label="All agents"><Icon name="back" /></a>
        <h1 dir="auto">{session ? titleOf(session) : id}</h1>
        {shown && <StatePill session={shown} />}
        {replay && shown && <NowLine session={shown} />}
      </div>
      {session && (
        <dl class="facts">
          {session.project_id && <div><dt>Project</dt><dd>{visibleLine(projectName(session.project_id), 60)}</dd></div>}
          <div><dt>Agent</dt><dd>{session.agent}{session.is_observed ? ", observed" : ""}</dd></div>
          <div class="fact-path"><dt>Directory</dt><dd class="mono" title={visible(session.workspace)}>{visibleLine(session.workspace, 120)}</dd></div>
          {session.node && <div><dt>Node</dt><dd>{visibleLine(session.node, 64)}</dd></div>}
          <div><dt>Started</dt><dd><Since time={session.created_at} form="ago" /></dd></div>
          <Usage spent={spentOf(shown?.total_usage)} />
          {!replay && <div><dt>Watchers</dt><dd>{watchersOf(id)}</dd></div>}
        </dl>
      )}
      <div class="session-actions">
        <button type="button" class="button" aria-pressed={isReplaying} onClick={onReplay} disabled={view.loading.value.phase !== "complete"}><Icon name="play" />Replay</button>
        {may("start") && !isReplaying && session && session.status !== "running" && (
          <button type="button" class="button" title="Start a new session with this conversation as context" onClick={followUp} disabled={view.loading.value.phase !== "complete"}>Follow up</button>
        )}
        {canAct && !isConfirming && <button type="button" class="button" onClick={() => setConfirming(true)}>End</button>}
        {canAct && isConfirming && (
          <>
            <button type="button" class="button button-bad" onClick={() => { setConfirming(false); void end.run(() => endSession(id)); }}>End session</button>
            <button type="button" class="button" onClick={() => setConfirming(false)}>Cancel</button>
          </>
        )}
      </div>
      {ending.status === "failed" && <p class="bad" role="alert">Not ended: {ending.problem}</p>}
    </header>
  );
}

function Usage({ spent }: { spent: Spent }) {
  if (!spent.isKnown) return null;
  const share = spent.contextSize > 0 ? Math.min(1, spent.contextUsed / spent.contextSize) : 0;
  return (
    <>
      {tokensOf(spent) > 0 && <div><dt>Tokens</dt><dd title={`${spent.input} in, ${spent.output} out, ${spent.cacheRead} cached`}>{count(tokensOf(spent))}</dd></div>}
      {spent.cost > 0 && <div><dt>Cost</dt><dd>{money(spent.cost)}</dd></div>}
      {share > 0 && <div><dt>Context</dt><dd><meter min={0} max={1} low={0.7} high={0.9} optimum={0} value={share} aria-label="Context used" /> {Math.round(share * 100)} %</dd></div>}
    </>
  );
}
