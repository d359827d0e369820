// The import of past sessions, with progress.
import { useEffect, useMemo, useState } from "preact/hooks";
import type { ImportPreview, ImportProgress } from "@oriel/client";
import { cancelImport, loadProgress, progress, startImport } from "../app/import";
import { action } from "../app/outbox";
import { api } from "../app/store";
import { addressOf } from "../model/route";
import { bytes, plural } from "../text/format";
import { visible, visibleLine } from "../text/visible";

export function Import() {
  const act = useMemo(action, []);
  const [preview, setPreview] = useState<ImportPreview | undefined>();
  const current = progress.value;
  const isRunning = current?.state === "running";
  useEffect(() => {
    const poll = (): void => void loadProgress().catch(() => {}); // the connection status shows the problem
    if (current === undefined) poll();
    const timer = setInterval(poll, isRunning ? 700 : 5000);
    return () => clearInterval(timer);
  }, [isRunning]);
  const state = act.state.value;
  return (
    <div class="page import">
      <header class="page-head"><h1>Import</h1></header>
      <p>Adds past sessions from the transcripts of Claude Code, Codex and Droid on this machine. A repeated import adds only new ones.</p>
      {current === undefined && <p class="dim" aria-busy="true">Loading</p>}
      {current && current.state !== "idle" && <Progress current={current} />}
      {preview && !isRunning && <p>{plural(preview.files_total, "transcript")}, {bytes(preview.bytes_total)}: {preview.files_unchanged} unchanged, {preview.files_old} too old</p>}
      {current && (
        <p class="import-actions">
          {isRunning
            ? <button type="button" class="button" disabled={state.status === "running"} onClick={() => void act.run(cancelImport)}>Stop</button>
            : <button type="button" class="button button-main" disabled={state.status === "running"} onClick={() => void act.run(startImport)}>{current.state === "idle" ? "Import" : "Import again"}</button>}
          {!isRunning && <button type="button" class="button" disabled={state.status === "running"} onClick={() => void act.run(async () => setPreview(await api.previewImport()))}>Preview</button>}
        </p>
      )}
      {state.status === "failed" && <p class="bad" role="alert">{visible(state.problem)}</p>}
    </div>
  );
}

const kStateLabels: Record<ImportProgress["state"], string> = { idle: "", running: "Importing", done: "Done", cancelled: "Stopped", failed: "Failed" };

function Progress({ current }: { current: ImportProgress }) {
  return (
    <section class="import-progress" aria-label="Progress">
      <p role="status"><strong>{kStateLabels[current.state] ?? visible(current.state)}</strong>: {plural(current.sessions, "new session")} with {plural(current.turns, "turn")}. {current.state !== "running" && current.sessions > 0 && <a href={addressOf("overview")}>Show agents</a>}</p>
      <p><progress max={Math.max(1, current.bytes_total)} value={current.bytes_total ? current.bytes_done : current.state === "running" ? 0 : 1} aria-label="Import" /> {bytes(current.bytes_done)} of {bytes(current.bytes_total)}, {current.files_done} of {plural(current.files_total, "file")}</p>
      {current.error && <p class="bad">{visible(current.error)}</p>}
      {(current.skipped?.length ?? 0) > 0 && (
        <details><summary>{plural(current.lines_skipped ?? current.skipped!.length, "line")} skipped</summary>
          <ul>{current.skipped!.map((one, i) => <li key={i}><span class="mono">{visibleLine(one.path, 200)}</span>{one.offset !== undefined && ` at ${one.offset}`}: {visibleLine(one.why, 200)}</li>)}</ul>
        </details>
      )}
    </section>
  );
}
