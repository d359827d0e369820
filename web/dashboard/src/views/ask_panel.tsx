// A permission request or question of an agent, with all that it says and the possible answers.
import { useMemo, useRef, useState } from "preact/hooks";
import { answeringOf, sendAnswer } from "../app/answers";
import { now } from "../app/clock";
import { may } from "../app/rights";
import { timeOf } from "../model/position";
import type { Answer, Permission, PermissionOption, Question } from "@oriel/client";
import { approvalOf, kFoldRows, scopeLines, type Row } from "../text/approval";
import { exact } from "../text/exact";
import { elapsed } from "../text/format";
import type { KeyState } from "./answer_keys";

interface Props {
  sessionId: string;
  permission: Permission;
  keys: KeyState; // whether the number keys answer it
  foldRows?: number; // that are shown before the rest is opened
}

const kSigns = { text: "\u2502", same: "", added: "+", removed: "-" } as const;

const isRejection = (option: PermissionOption): boolean => option.kind.startsWith("reject");

function optionsOf(permission: Permission): PermissionOption[] {
  if (permission.options.length > 0) return permission.options;
  return [{ option_id: "", label: "Allow", kind: "allow_once" }, { option_id: "", label: "Deny", kind: "reject_once" }];
}

function answerOf(option: PermissionOption): Answer {
  if (option.option_id) return { option_id: option.option_id };
  return { decision: isRejection(option) ? "deny" : "allow" };
}

export function AskPanel({ sessionId, permission, keys, foldRows = kFoldRows }: Props) {
  const state = answeringOf(permission.permission_id).value;
  const isBusy = state.status === "sending" || state.status === "sent";
  const send = (answer: Answer): void => void sendAnswer(sessionId, permission.permission_id, answer);
  const view = useMemo(() => approvalOf(permission), [permission]);
  const isQuestion = permission.questions.length > 0;
  const [opened, setOpened] = useState(""); // this permission is open to its last row
  const hidden = opened === permission.permission_id || isQuestion ? 0 : Math.max(0, view.rows.length - foldRows);
  return (
    <section class="ask" data-permission-id={permission.permission_id} aria-label={`Question: ${view.title}`} data-keys={keys}>
      <h3 class="ask-title" dir="auto">{view.title}</h3>
      <AskRows rows={hidden > 0 ? view.rows.slice(0, foldRows) : view.rows} />
      {hidden > 0 && <button type="button" class="more" onClick={() => setOpened(permission.permission_id)}>Show {hidden} more {hidden === 1 ? "line" : "lines"} to allow</button>}
      {!may("answer") ? <p class="dim">Your login cannot answer questions.</p> : isQuestion
        ? <Questions questions={permission.questions} hasKeys={keys !== "off"} isBusy={isBusy} onAnswer={(answers) => send({ answers })} onDeny={() => send({ decision: "deny" })} />
        : <Options permission={permission} hasKeys={keys !== "off"} isBusy={isBusy} isRead={hidden === 0} onAnswer={send} />}
      <p class="ask-state" role="status">
        {state.status === "sending" && "Sending"}
        {state.status === "sent" && "Answered"}
        {state.status === "late" && "Already answered"}
        {state.status === "failed" && <span class="bad">Not sent: {state.problem}</span>}
        {state.status === "open" && <Expiry permission={permission} />}
      </p>
    </section>
  );
}

// Without a scroll bar of their own: what is there is seen.
export function AskRows({ rows }: { rows: Row[] }) {
  if (rows.length === 0) return null;
  return (
    <div class="ask-rows" dir="ltr">
      {rows.map((row, i) => (
        <div key={i} class="ask-row" data-kind={row.kind}>
          {row.kind === "field" ? <><span class="ask-label">{row.label}</span>{row.text && ` ${row.text}`}</> : <><span class="diff-sign" aria-hidden="true">{kSigns[row.kind]}</span>{row.text}</>}
        </div>
      ))}
    </div>
  );
}

interface OptionsProps {
  permission: Permission;
  hasKeys: boolean;
  isBusy: boolean;
  isRead: boolean; // every row was shown: only then it can be allowed
  onAnswer: (answer: Answer) => void;
}

// Options that last stand apart, say what they allow, and have no key.
function Options({ permission, hasKeys, isBusy, isRead, onAnswer }: OptionsProps) {
  const all = optionsOf(permission);
  const lasting = all.filter((option) => option.kind === "allow_always");
  const button = (option: PermissionOption, key?: number) => (
    <button key={option.option_id + option.label} type="button" disabled={isBusy || (!isRead && !isRejection(option))} data-option-kind={option.kind} data-answer-key={key}
      class={option.kind === "allow_once" ? "button button-main" : "button"} onClick={() => onAnswer(answerOf(option))}>
      {key !== undefined && <kbd>{key}</kbd>}{exact(option.label || option.option_id)}
    </button>
  );
  return (
    <>
      <div class="ask-options">{all.filter((option) => option.kind !== "allow_always").map((option, i) => button(option, hasKeys && i < 9 ? i + 1 : undefined))}</div>
      {lasting.length > 0 && (
        <div class="ask-lasting" role="group" aria-label="Future requests">
          <p>Future requests, too:</p>
          {lasting.map((option) => (
            <div key={option.option_id}>
              {button(option)}
              <ul dir="ltr">{scopeLines(option).map((line, i) => <li key={i}>Allows {line}</li>)}</ul>
            </div>
          ))}
        </div>
      )}
    </>
  );
}

function Expiry({ permission }: { permission: Permission }) {
  if (!permission.expires_at) return null;
  const left = timeOf(permission.expires_at) - now.value;
  if (left <= 0) return null;
  return <>Expires in {elapsed(left)}</>;
}

interface QuestionsProps {
  questions: Question[];
  hasKeys: boolean;
  isBusy: boolean;
  onAnswer: (answers: string[]) => void;
  onDeny: () => void;
}

function Questions({ questions, hasKeys, isBusy, onAnswer, onDeny }: QuestionsProps) {
  const [chosen, setChosen] = useState<string[][]>(questions.map(() => []));
  const [typed, setTyped] = useState<string[]>(questions.map(() => ""));
  const form = useRef<HTMLFormElement>(null);
  const pick = (i: number, choice: string, takesMany: boolean): void => {
    setChosen(chosen.map((list, j) => (j !== i ? list : list.includes(choice) ? list.filter((one) => one !== choice) : takesMany ? [...list, choice] : [choice])));
  };
  const firstKeys = questions.map((_, i) => 1 + questions.slice(0, i).reduce((sum, { choices }) => sum + choices.length, 0));
  const answers = questions.map((_, i) => typed[i]!.trim() || chosen[i]!.join(", "));
  return (
    <form ref={form} class="ask-questions" onSubmit={(event) => { event.preventDefault(); onAnswer(answers); }}>
      {questions.map((question, i) => (
        <fieldset key={i}>
          <legend dir="auto">{exact(question.text)}</legend>
          <div class="ask-options">
            {question.choices.map((choice, j) => (
              <button key={choice} data-answer-key={hasKeys ? firstKeys[i]! + j : undefined} type="button" class="button" aria-pressed={chosen[i]!.includes(choice)} disabled={isBusy} onClick={() => pick(i, choice, question.takes_many)}>{hasKeys && firstKeys[i]! + j <= 9 && <kbd>{firstKeys[i]! + j}</kbd>}{exact(choice)}</button>
            ))}
          </div>
          <input type="text" aria-label="Other answer" placeholder="Other answer" value={typed[i]} disabled={isBusy}
            onInput={(event) => setTyped(typed.map((text, j) => (j === i ? event.currentTarget.value : text)))} />
        </fieldset>
      ))}
      <div class="ask-options">
        <button type="submit" class="button button-main" disabled={isBusy || answers.some((answer) => answer === "")}>Answer</button>
        <button type="button" class="button" disabled={isBusy} onClick={onDeny}>Deny</button>
      </div>
    </form>
  );
}
