// A question of an agent, with the exact thing it would do, and the ways to answer it.
import { useRef, useState } from "preact/hooks";
import { answeringOf, giveAnswer } from "../app/answers";
import { now } from "../app/clock";
import { timeOf } from "../model/place";
import type { Answer, Permission, PermissionOption, Question } from "../model/types";
import { gistOf, readable } from "../text/arguments";
import { editsOf } from "../text/diff";
import { elapsed } from "../text/format";
import { visible } from "../text/visible";
import { Plain } from "../ui/markdown_view";
import { DiffView } from "./diff_view";

interface Props {
  sessionId: string;
  permission: Permission;
  hasKeys: boolean; // whether this is the one that single keys answer
}

const isRefusal = (option: PermissionOption): boolean => option.kind.startsWith("reject");

function optionsOf(permission: Permission): PermissionOption[] {
  if (permission.options.length > 0) return permission.options;
  return [{ option_id: "", label: "Allow", kind: "allow_once" }, { option_id: "", label: "Deny", kind: "reject_once" }];
}

function answerOf(option: PermissionOption): Answer {
  if (option.option_id) return { option_id: option.option_id };
  return { decision: isRefusal(option) ? "deny" : "allow" };
}

export function AskPanel({ sessionId, permission, hasKeys }: Props) {
  const state = answeringOf(permission.permission_id).value;
  const isBusy = state.status === "sending" || state.status === "sent";
  const give = (answer: Answer): void => void giveAnswer(sessionId, permission.permission_id, answer);
  return (
    <section class="ask" data-permission-id={permission.permission_id} aria-label={`Question: ${visible(permission.title).slice(0, 120)}`} data-has-keys={hasKeys || undefined}>
      <h3 class="ask-title" dir="auto">{visible(permission.title)}</h3>
      <Would permission={permission} />
      {permission.questions.length > 0
        ? <Questions questions={permission.questions} isBusy={isBusy} onAnswer={(answers) => give({ answers })} onRefuse={() => give({ decision: "deny" })} />
        : (
          <div class="ask-options">
            {optionsOf(permission).map((option, i) => (
              <button key={option.option_id + option.label} type="button" disabled={isBusy} data-option-kind={option.kind}
                class={isRefusal(option) ? "button" : "button button-main"} onClick={() => give(answerOf(option))}>
                {hasKeys && <kbd>{i + 1}</kbd>}{visible(option.label)}
              </button>
            ))}
          </div>
        )}
      <p class="ask-state" role="status">
        {state.status === "sending" && "Sending your answer"}
        {state.status === "sent" && "Answered"}
        {state.status === "late" && "Somebody else was first: it is resolved already."}
        {state.status === "failed" && <span class="bad">Not answered: {state.problem}</span>}
        {state.status === "open" && <Expiry permission={permission} />}
      </p>
    </section>
  );
}

function Expiry({ permission }: { permission: Permission }) {
  if (!permission.expires_at) return null;
  const left = timeOf(permission.expires_at) - now.value;
  if (left <= 0) return null;
  return <>refused by itself in {elapsed(left)}</>;
}

function Would({ permission }: { permission: Permission }) {
  if (permission.input === null || permission.input === undefined) return null;
  const edits = editsOf(permission.input, permission.title || "write");
  if (edits.length > 0) return <>{edits.map((edit, i) => <DiffView key={i} edit={edit} />)}</>;
  const gist = gistOf(permission.input, "");
  const fields = typeof permission.input === "object" ? Object.keys(permission.input) : [];
  if (gist && fields.length <= 2) return <Plain text={visible(gist)} language="sh" />;
  return <Plain text={visible(readable(permission.input))} language="json" />;
}

interface QuestionsProps {
  questions: Question[];
  isBusy: boolean;
  onAnswer: (answers: string[]) => void;
  onRefuse: () => void;
}

function Questions({ questions, isBusy, onAnswer, onRefuse }: QuestionsProps) {
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
          <input type="text" aria-label="Your own answer" placeholder="Or in your own words" value={typed[i]} disabled={isBusy}
            onInput={(event) => setTyped(typed.map((text, j) => (j === i ? event.currentTarget.value : text)))} />
        </fieldset>
      ))}
      <div class="ask-options">
        <button type="submit" class="button button-main" disabled={isBusy || answers.some((answer) => answer === "")}>Answer</button>
        <button type="button" class="button" disabled={isBusy} onClick={onRefuse}>Refuse</button>
      </div>
    </form>
  );
}
