// Past sessions from the agents' own transcripts, with progress.
import { useEffect, useMemo, useState } from "preact/hooks";
import { askProgress, beginImport, endImport, lookFirst, progress, type ImportPlan, type ImportProgress } from "../app/import";
import { action } from "../app/sends";
import { addressOf } from "../model/route";
import { bytes, plural } from "../text/format";
import { visible, visibleLine } from "../text/visible";

export function Import() {
  const act = useMemo(action, []);
  const [plan, setPlan] = useState<ImportPlan | undefined>();
  const told = progress.value;
  const isRunning = told?.state === "running";
  useEffect(() => {
    const ask = (): void => void askProgress().catch(() => {}); // the connection's own light says more
    if (told === undefined) ask();
    const timer = setInterval(ask, isRunning ? 700 : 5000);
    return () => clearInterval(timer);
  }, [isRunning]);
  const state = act.state.value;
  return (
    <div class="page import">
      <header class="page-head"><h1>Import</h1></header>
      <p>Oriel reads the transcripts that Claude Code, Codex and Droid have left on this machine, so that past sessions appear among the others. It can be repeated: what is there already is not taken twice.</p>
      {told === undefined && <p class="dim" aria-busy="true">Asking the server</p>}
      {told && told.state !== "idle" && <Progress told={told} />}
      {plan && !isRunning && <p>{plural(plan.files_total, "transcript")}, {bytes(plan.bytes_total)}; {plan.files_unchanged} of them are there already, {plan.files_old} are too old.</p>}
      {told && (
        <p class="import-acts">
          {isRunning
            ? <button type="button" class="button" disabled={state.status === "doing"} onClick={() => void act.run(endImport)}>Stop</button>
            : <button type="button" class="button button-main" disabled={state.status === "doing"} onClick={() => void act.run(beginImport)}>{told.state === "idle" ? "Import" : "Import again"}</button>}
          {!isRunning && <button type="button" class="button" disabled={state.status === "doing"} onClick={() => void act.run(async () => setPlan(await lookFirst()))}>Look first</button>}
        </p>
      )}
      {state.status === "failed" && <p class="bad" role="alert">{visible(state.problem)}</p>}
    </div>
  );
}

const kStateWords: Record<ImportProgress["state"], string> = { idle: "", running: "Reading", done: "Done", cancelled: "Stopped", failed: "Failed" };

function Progress({ told }: { told: ImportProgress }) {
  return (
    <section class="import-progress" aria-label="Progress">
      <p role="status"><strong>{kStateWords[told.state] ?? visible(told.state)}</strong>: {plural(told.sessions, "new session")} with {plural(told.turns, "turn")}. {told.state !== "running" && told.sessions > 0 && <a href={addressOf("overview")}>See them</a>}</p>
      <p><progress max={Math.max(1, told.bytes_total)} value={told.bytes_total ? told.bytes_done : told.state === "running" ? 0 : 1} aria-label="Import" /> {bytes(told.bytes_done)} of {bytes(told.bytes_total)}, {told.files_done} of {plural(told.files_total, "file")}</p>
      {told.error && <p class="bad">{visible(told.error)}</p>}
      {(told.skipped?.length ?? 0) > 0 && (
        <details><summary>{plural(told.lines_skipped ?? told.skipped!.length, "line")} could not be understood</summary>
          <ul>{told.skipped!.map((one, i) => <li key={i}><span class="mono">{visibleLine(one.path, 200)}</span>{one.offset !== undefined && ` at ${one.offset}`}: {visibleLine(one.why, 200)}</li>)}</ul>
        </details>
      )}
    </section>
  );
}
