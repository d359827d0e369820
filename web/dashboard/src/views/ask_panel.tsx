// A permission request or question of an agent, with the exact effect and the possible answers.
import { useRef, useState } from "preact/hooks";
import { answeringOf, sendAnswer } from "../app/answers";
import { now } from "../app/clock";
import { timeOf } from "../model/position";
import type { Answer, Permission, PermissionOption, Question } from "@oriel/client";
import { summaryOf, readable } from "../text/arguments";
import { editsOf } from "../text/diff";
import { elapsed } from "../text/format";
import { visible } from "../text/visible";
import { Plain } from "../ui/markdown_view";
import { DiffView } from "./diff_view";

interface Props {
  sessionId: string;
  permission: Permission;
  hasKeys: boolean; // the number keys answer it
}

const isRejection = (option: PermissionOption): boolean => option.kind.startsWith("reject");

function optionsOf(permission: Permission): PermissionOption[] {
  if (permission.options.length > 0) return permission.options;
  return [{ option_id: "", label: "Allow", kind: "allow_once" }, { option_id: "", label: "Deny", kind: "reject_once" }];
}

function answerOf(option: PermissionOption): Answer {
  if (option.option_id) return { option_id: option.option_id };
  return { decision: isRejection(option) ? "deny" : "allow" };
}

export function AskPanel({ sessionId, permission, hasKeys }: Props) {
  const state = answeringOf(permission.permission_id).value;
  const isBusy = state.status === "sending" || state.status === "sent";
  const send = (answer: Answer): void => void sendAnswer(sessionId, permission.permission_id, answer);
  return (
    <section class="ask" data-permission-id={permission.permission_id} aria-label={`Question: ${visible(permission.title).slice(0, 120)}`} data-has-keys={hasKeys || undefined}>
      <h3 class="ask-title" dir="auto">{visible(permission.title)}</h3>
      <Effect permission={permission} />
      {permission.questions.length > 0
        ? <Questions questions={permission.questions} isBusy={isBusy} onAnswer={(answers) => send({ answers })} onDeny={() => send({ decision: "deny" })} />
        : (
          <div class="ask-options">
            {optionsOf(permission).map((option, i) => (
              <button key={option.option_id + option.label} type="button" disabled={isBusy} data-option-kind={option.kind}
                class={isRejection(option) ? "button" : "button button-main"} onClick={() => send(answerOf(option))}>
                {hasKeys && <kbd>{i + 1}</kbd>}{visible(option.label)}
              </button>
            ))}
          </div>
        )}
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

function Expiry({ permission }: { permission: Permission }) {
  if (!permission.expires_at) return null;
  const left = timeOf(permission.expires_at) - now.value;
  if (left <= 0) return null;
  return <>Expires in {elapsed(left)}</>;
}

function Effect({ permission }: { permission: Permission }) {
  if (permission.input === null || permission.input === undefined) return null;
  const edits = editsOf(permission.input, permission.title || "write");
  if (edits.length > 0) return <>{edits.map((edit, i) => <DiffView key={i} edit={edit} />)}</>;
  const summary = summaryOf(permission.input, "");
  const fields = typeof permission.input === "object" ? Object.keys(permission.input) : [];
  if (summary && fields.length <= 2) return <Plain text={visible(summary)} language="sh" />;
  return <Plain text={visible(readable(permission.input))} language="json" />;
}

interface QuestionsProps {
  questions: Question[];
  isBusy: boolean;
  onAnswer: (answers: string[]) => void;
  onDeny: () => void;
}

function Questions({ questions, isBusy, onAnswer, onDeny }: QuestionsProps) {
  const [chosen, setChosen] = useState<string[][]>(questions.map(() => []));
  const [typed, setTyped] = useState<string[]>(questions.map(() => ""));
  const form = useRef<HTMLFormElement>(null);
  const pick = (i: number, choice: string, takesMany: boolean): void => {
    setChosen(chosen.map((list, j) => (j !== i ? list : list.includes(choice) ? list.filter((one) => one !== choice) : takesMany ? [...list, choice] : [choice])));
  };
  const answers = questions.map((_, i) => typed[i]!.trim() || chosen[i]!.join(", "));
  return (
    <form ref={form} class="ask-questions" onSubmit={(event) => { event.preventDefault(); onAnswer(answers); }}>
      {questions.map((question, i) => (
        <fieldset key={i}>
          <legend dir="auto">{visible(question.text)}</legend>
          <div class="ask-options">
            {question.choices.map((choice) => (
              <button key={choice} type="button" class="button" aria-pressed={chosen[i]!.includes(choice)} disabled={isBusy} onClick={() => pick(i, choice, question.takes_many)}>{visible(choice)}</button>
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
