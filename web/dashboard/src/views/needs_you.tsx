// Everything that needs the user, oldest first.
import type { Session, Turn } from "@oriel/client";
import { useEffect, useState } from "preact/hooks";
import { canNotify, isNotifying, setNotifying } from "../app/attention";
import { dismiss, dismissed } from "../app/dismissed";
import { may } from "../app/rights";
import { api, isLoaded, projectName, needs } from "../app/store";
import type { Need } from "../model/attention";
import { reasonOf, type PageSession } from "../model/outcome";
import { addressOf } from "../model/route";
import { approvalOf } from "../text/approval";
import { visible, visibleLine } from "../text/visible";
import { useAnswerKeys } from "./answer_keys";
import { AskPanel, AskRows } from "./ask_panel";
import { Since, titleOf } from "./session_card";

const kMaxFailed = 50;

export function NeedsYou() {
  const list = needs.value.filter((need) => need.kind !== "failed");
  const failed = needs.value.filter((need) => need.kind === "failed" && !dismissed.value.has(need.key));
  const answerable = list.filter((need) => need.kind === "permission" && may("answer")).map((need) => need.key);
  const { selected, keysOf, select } = useAnswerKeys(answerable, (key) => {
    document.querySelector(`[data-need="${CSS.escape(key)}"]`)?.scrollIntoView({ block: "nearest" });
  });
  return (
    <div class="page needs">
      <header class="page-head">
        <h1>Needs you <span class="group-count">{list.length}</span></h1>
        {canNotify && (
          <label class="switch"><input type="checkbox" checked={isNotifying.value} onChange={(event) => void setNotifying(event.currentTarget.checked)} /> Notify me</label>
        )}
      </header>
      {list.length === 0 && <div class="empty"><p class="empty-title">{isLoaded.value ? "Nothing needs you" : "Loading"}</p><p>Questions and permission requests of all agents appear here.</p></div>}
      {answerable.length > 0 && <p class="hint"><kbd>j</kbd> <kbd>k</kbd> move, <kbd>1</kbd> to <kbd>9</kbd> answer</p>}
      <ol class="need-list">
        {list.map((need) => (
          <li key={need.key} data-need={need.key} class="need" data-kind={need.kind} aria-current={need.key === selected ? "true" : undefined}
            onFocusIn={() => answerable.includes(need.key) && select(need.key)}>
            <NeedHead need={need} />
            {need.kind === "permission" && <AskPanel sessionId={need.session.session_id} permission={need.permission} keys={keysOf(need.key)} />}
            {need.kind === "lost" && <Lost session={need.session} />}
            {need.kind === "elsewhere" && <Elsewhere key={need.key} session={need.session} />}
          </li>
        ))}
      </ol>
      {failed.length > 0 && (
        <section class="group" aria-label="Failed">
          <h2>Failed <span class="group-count">{failed.length}</span> <button type="button" class="link" onClick={() => dismiss(failed.map(({ key }) => key))}>Dismiss all</button></h2>
          <ol class="need-list">
            {failed.slice(0, kMaxFailed).map((need) => (
              <li key={need.key} class="need" data-kind="failed">
                <NeedHead need={need} />
                <p class="bad" dir="auto">{visible(reasonOf(need.session).slice(0, 600)) || "Unknown error"}</p>
                <p class="need-actions">
                  <a class="button" href={addressOf("session", { sessionId: need.session.session_id })}>Open</a>
                  <button type="button" class="button" onClick={() => dismiss([need.key])}>Dismiss</button>
                </p>
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

// The question of an observed agent, with the command that it is about. It cannot be answered here.
function Elsewhere({ session }: { session: Session }) {
  const [question, setQuestion] = useState<Turn | undefined>();
  useEffect(() => {
    let isStale = false;
    const isOpen = (turn: Turn): boolean => turn.intent === "question" && turn.data?.status === "pending";
    api.turns(session.session_id, { limit: 20 }).then(({ turns }) => !isStale && setQuestion(turns.reverse().find(isOpen)), () => {}); // its title and the hint are shown
    return () => { isStale = true; };
  }, [session.session_id, session.turns]);
  const view = question && approvalOf({ title: question.text, input: question.data?.input });
  return (
    <div class="ask">
      {view && <h3 class="ask-title" dir="auto">{view.title}</h3>}
      {view && <AskRows rows={view.rows} />}
      <p>Answer in the agent's terminal.</p>
    </div>
  );
}

function Lost({ session }: { session: PageSession }) {
  return (
    <div class="ask">
      <h3 class="ask-title" dir="auto">{visibleLine(reasonOf(session), 400)}</h3>
      <p>This question was open when the server stopped. Send the agent a message to continue.</p>
      <p class="need-actions"><a class="button" href={addressOf("session", { sessionId: session.session_id })}>Open</a></p>
    </div>
  );
}

function NeedHead({ need }: { need: Need }) {
  return (
    <p class="need-head">
      <a href={addressOf("session", { sessionId: need.session.session_id })}>{titleOf(need.session)}</a>
      {need.session.project_id && <span class="tag">{visible(projectName(need.session.project_id))}</span>}
      <span>{need.session.agent}</span>
      <span class="need-since">{need.kind === "failed" ? "failed " : "waiting "}<Since time={need.since} form={need.kind === "failed" ? "ago" : "elapsed"} /></span>
    </p>
  );
}
