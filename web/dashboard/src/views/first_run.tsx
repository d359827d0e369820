// The overview without sessions: three tasks to try, past sessions to import, and how to connect agents that run elsewhere.
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Agent } from "@oriel/client";
import { startImport } from "../app/import";
import { action } from "../app/outbox";
import { may, me } from "../app/rights";
import { go } from "../app/router";
import { api, applySnapshot } from "../app/store";
import { samplesFor, type Sample } from "../model/samples";
import { addressOf } from "../model/route";
import { plural } from "../text/format";
import { CopyButton } from "../ui/copy_button";
import { Icon } from "../ui/icons";

const kInstallHooks = "oriel hooks install";

export function FirstRun() {
  return (
    <div class="first-run">
      <h2 class="empty-title">No agents yet</h2>
      {may("start") && <Samples />}
      {me.value && may("admin") && <PastSessions />}
      <section aria-label="Connect">
        <h3>Connect Claude Code</h3>
        <p>Shows the agents that you start in a terminal. Run once:</p>
        <p class="copy-line"><code>{kInstallHooks}</code><CopyButton text={() => kInstallHooks} label="Copy command" /></p>
      </section>
    </div>
  );
}

// Each starts an agent at once.
function Samples() {
  const [agent, setAgent] = useState<Agent | undefined>();
  const act = useMemo(action, []);
  const state = act.state.value;
  useEffect(() => {
    api.agents().then(({ agents, default: name }) => {
      const available = agents.filter((one) => one.available);
      setAgent(available.find((one) => one.name === name) ?? available[0]);
    }, () => {}); // the connection status shows the problem
  }, []);
  const start = (sample: Sample): Promise<boolean> => act.run(async () => {
    const { session } = await api.start({ agent: agent!.name, message: sample.prompt });
    applySnapshot(session);
    go("session", { sessionId: session.session_id });
  });
  return (
    <section aria-label="Start">
      <h3>Start an agent</h3>
      {agent && (
        <>
          <p>Try one of these with <strong>{agent.name}</strong>, in a new directory:</p>
          <div class="samples">
            {samplesFor(agent.name).map((sample) => (
              <button key={sample.prompt} type="button" class="sample" disabled={state.status === "running"} onClick={() => void start(sample)}>
                <span class="sample-prompt">{sample.prompt}</span><span class="sample-note">{sample.note}</span>
              </button>
            ))}
          </div>
        </>
      )}
      {state.status === "failed" && <p class="bad" role="alert">Not started: {state.problem}</p>}
      <p><a class="button" href={addressOf("start")}><Icon name="start" />Choose agent, project and directory</a></p>
    </section>
  );
}

function PastSessions() {
  const [found, setFound] = useState(0);
  const act = useMemo(action, []);
  const state = act.state.value;
  useEffect(() => {
    api.previewImport().then((preview) => setFound(preview.files_total - preview.files_unchanged - preview.files_old), () => {}); // the Import view shows the problem
  }, []);
  if (found <= 0) return null;
  const run = (): Promise<boolean> => act.run(async () => {
    await startImport();
    go("import");
  });
  return (
    <section aria-label="Import">
      <h3>Past sessions</h3>
      <p>Transcripts of Claude Code, Codex and Droid on this machine.</p>
      <p><button type="button" class="button" disabled={state.status === "running"} onClick={() => void run()}><Icon name="import" />Import {plural(found, "session")} found here</button></p>
      {state.status === "failed" && <p class="bad" role="alert">Not imported: {state.problem}</p>}
    </section>
  );
}
