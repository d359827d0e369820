// Past sessions from the agents' own transcripts.
import { useEffect, useState } from "preact/hooks";
import { headersFor } from "../app/upload";
import { bytes, plural } from "../text/format";
import { readable } from "../text/arguments";
import { visible } from "../text/visible";

type Told = Record<string, any>;

const number = (told: Told, ...keys: string[]): number | undefined => keys.map((key) => told[key]).find((value) => typeof value === "number");

export function Import() {
  const [told, setTold] = useState<Told | undefined>();
  const [isThere, setThere] = useState<boolean | undefined>();
  const [problem, setProblem] = useState("");
  const ask = async (): Promise<void> => {
    try {
      const response = await fetch("api/import", { headers: headersFor(), cache: "no-store" });
      setThere(response.ok);
      if (response.ok) setTold((await response.json()) as Told);
    } catch {
      setThere(false);
    }
  };
  useEffect(() => {
    void ask();
    const timer = setInterval(() => isThere !== false && void ask(), 1000);
    return () => clearInterval(timer);
  }, [isThere]);
  const begin = async (): Promise<void> => {
    setProblem("");
    const headers = headersFor();
    headers.set("Content-Type", "application/json");
    try {
      const response = await fetch("api/import", { method: "POST", headers, body: "{}" });
      const answer = (await response.json().catch(() => ({}))) as Told;
      if (!response.ok) setProblem(String(answer.error?.message ?? `the server answered ${response.status}`));
      else await ask();
    } catch (error) {
      setProblem(String((error as Error).message));
    }
  };
  return (
    <div class="page import">
      <header class="page-head"><h1>Import</h1></header>
      <p>Oriel reads the transcripts that Claude Code, Codex and Droid have written on this machine, so that past sessions appear among the others. It can be repeated: what is there already is not taken twice.</p>
      {isThere === false && <div class="empty"><p class="empty-title">From a terminal</p><p><code>oriel import</code></p></div>}
      {isThere && told && <Progress told={told} />}
      {isThere && <p><button type="button" class="button button-main" disabled={isRunning(told)} onClick={() => void begin()}>{isRunning(told) ? "Importing" : "Import now"}</button></p>}
      {problem && <p class="bad" role="alert">Not started: {visible(problem)}</p>}
    </div>
  );
}

function isRunning(told: Told | undefined): boolean {
  return told?.state === "running" || told?.status === "running" || told?.is_running === true;
}

function Progress({ told }: { told: Told }) {
  const done = number(told, "bytes_done", "done_bytes", "files_done", "done");
  const all = number(told, "bytes_total", "total_bytes", "files_total", "total");
  const sessions = number(told, "sessions", "sessions_imported");
  return (
    <div class="import-progress">
      {done !== undefined && all !== undefined && all > 0 && (
        <p><progress max={all} value={done} aria-label="Import" /> {"bytes_done" in told || "done_bytes" in told ? `${bytes(done)} of ${bytes(all)}` : `${done} of ${all}`}</p>
      )}
      {sessions !== undefined && <p>{plural(sessions, "session")}</p>}
      <details><summary>All that the server says</summary><pre class="code" tabIndex={0}>{visible(readable(told))}</pre></details>
    </div>
  );
}
