// Everything that needs the user, oldest first.
import { useEffect, useState } from "preact/hooks";
import { canNotify, isNotifying, setNotifying } from "../app/attention";
import { isLoaded, projectName, needs } from "../app/store";
import type { Need } from "../model/attention";
import { addressOf } from "../model/route";
import { isTyping } from "../ui/keys";
import { visible } from "../text/visible";
import { AskPanel } from "./ask_panel";
import { Since, titleOf } from "./session_card";

export function NeedsYou() {
  const list = needs.value.filter((need) => need.kind !== "failed");
  const failed = needs.value.filter((need) => need.kind === "failed").reverse();
  const [at, setAt] = useState("");
  const index = Math.max(0, list.findIndex((need) => need.key === at));
  const current = list[index];
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const move = event.key === "j" ? 1 : event.key === "k" ? -1 : 0;
      if (move !== 0 && list.length > 0) {
        const next = list[Math.min(list.length - 1, Math.max(0, index + move))]!;
        setAt(next.key);
        document.querySelector(`[data-need="${CSS.escape(next.key)}"]`)?.scrollIntoView({ block: "nearest" });
        event.preventDefault();
      } else if (/^[1-9]$/.test(event.key)) {
        const buttons = document.querySelectorAll<HTMLButtonElement>(".ask[data-has-keys] .ask-options button");
        buttons[Number(event.key) - 1]?.click();
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [list, index]);
  return (
    <div class="page needs">
      <header class="page-head">
        <h1>Needs you <span class="group-count">{list.length}</span></h1>
        {canNotify && (
          <label class="switch"><input type="checkbox" checked={isNotifying.value} onChange={(event) => void setNotifying(event.currentTarget.checked)} /> Notify me</label>
        )}
      </header>
      {list.length === 0 && <div class="empty"><p class="empty-title">{isLoaded.value ? "Nothing needs you" : "Loading"}</p><p>Questions and permission requests of all agents appear here.</p></div>}
      {list.length > 0 && <p class="hint"><kbd>j</kbd> <kbd>k</kbd> move, <kbd>1</kbd> to <kbd>9</kbd> answer</p>}
      <ol class="need-list">
        {list.map((need) => (
          <li key={need.key} data-need={need.key} class="need" data-kind={need.kind} aria-current={need === current ? "true" : undefined} onFocusIn={() => setAt(need.key)}>
            <NeedHead need={need} />
            {need.kind === "permission" && <AskPanel sessionId={need.session.session_id} permission={need.permission} hasKeys={need === current} />}
            {need.kind === "elsewhere" && <p>Answer in its terminal.</p>}
          </li>
        ))}
      </ol>
      {failed.length > 0 && (
        <section class="group" aria-label="Failed">
          <h2>Failed <span class="group-count">{failed.length}</span></h2>
          <p class="hint">Send a message to retry, or end the session.</p>
          <ol class="need-list">
            {failed.slice(0, 50).map((need) => (
              <li key={need.key} class="need" data-kind="failed">
                <NeedHead need={need} />
                <p class="bad" dir="auto">{visible(need.session.reason.slice(0, 600)) || "Unknown error"}</p>
              </li>
            ))}
          </ol>
        </section>
      )}
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
