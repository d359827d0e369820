// Starts an agent: which one, where, and with what words.
import { useEffect, useState } from "preact/hooks";
import { go } from "../app/router";
import { api, learnSession, problemOf, sessions } from "../app/store";
import type { Session } from "../model/types";
import { visible, visibleLine } from "../text/visible";

interface Agent {
  name: string;
  available: boolean;
  problem: string | null;
  permissions: string;
  sandbox: string;
}

const kKey = "oriel.start";

interface Form {
  agent: string;
  project: string;
  workspace: string;
  message: string;
  title: string;
  permissions: string;
}

function kept(): Form {
  const form: Form = { agent: "", project: "", workspace: "", message: "", title: "", permissions: "" };
  try {
    return { ...form, ...(JSON.parse(sessionStorage.getItem(kKey) ?? "{}") as Partial<Form>) };
  } catch {
    return form;
  }
}

export function Start() {
  const [form, setForm] = useState(kept);
  const [agents, setAgents] = useState<Agent[]>([]);
  const [standard, setStandard] = useState("");
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [requestId, setRequestId] = useState(() => `page-${Date.now()}-${Math.random().toString(36).slice(2)}`);
  useEffect(() => {
    api.agents().then((told) => { setAgents(told.agents as unknown as Agent[]); setStandard(told.default); }, (error) => setProblem(problemOf(error)));
  }, []);
  const change = (what: Partial<Form>): void => {
    const next = { ...form, ...what };
    setForm(next);
    setRequestId(`page-${Date.now()}-${Math.random().toString(36).slice(2)}`);
    try {
      sessionStorage.setItem(kKey, JSON.stringify(next));
    } catch {
      // Kept while the page stays.
    }
  };
  const submit = async (): Promise<void> => {
    setBusy(true);
    setProblem("");
    try {
      const body: Record<string, string> = { request_id: requestId };
      if (form.agent) body.agent = form.agent;
      if (form.project.trim()) body.project_id = form.project.trim();
      if (form.workspace.trim()) body.workspace = form.workspace.trim();
      if (form.message.trim()) body.message = form.message.trim();
      const title = form.title.trim() || visibleLine(form.message.trim().split("\n", 1)[0] ?? "", 80);
      if (title) body.title = title;
      if (form.permissions) body.permissions = form.permissions;
      const { session } = await api.start(body);
      learnSession(session as Session);
      change({ message: "", title: "" });
      go("session", { sessionId: session.session_id });
    } catch (error) {
      setProblem(problemOf(error));
    }
    setBusy(false);
  };
  const chosen = form.agent || standard;
  const projects = [...new Set(sessions.value.map((session) => session.project_id).filter(Boolean))];
  const places = [...new Set(sessions.value.filter((session) => !form.project || session.project_id === form.project).map((session) => session.workspace).filter(Boolean))].slice(0, 30);
  return (
    <div class="page start">
      <header class="page-head"><h1>Start an agent</h1></header>
      <form class="start-form" onSubmit={(event) => { event.preventDefault(); void submit(); }}>
        <label class="field"><span>Prompt</span>
          <textarea rows={5} value={form.message} placeholder="What should it do?" onInput={(event) => change({ message: event.currentTarget.value })}
            onKeyDown={(event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); void submit(); } }} />
        </label>
        <fieldset class="agents">
          <legend>Agent</legend>
          {agents.filter((agent) => agent.available).map((agent) => (
            <label key={agent.name} class="agent">
              <input type="radio" name="agent" value={agent.name} checked={chosen === agent.name} onChange={() => change({ agent: agent.name })} />
              <span class="agent-name">{agent.name}</span>
              <span class="agent-note">{agent.sandbox !== "none" ? `in a sandbox: ${agent.sandbox}` : agent.permissions === "ask" ? "asks before it acts" : `permissions: ${agent.permissions}`}</span>
            </label>
          ))}
        </fieldset>
        <Missing agents={agents.filter((agent) => !agent.available)} />
        <div class="field-row">
          <label class="field"><span>Project</span><input list="projects" value={form.project} placeholder="none" autocomplete="off" onInput={(event) => change({ project: event.currentTarget.value })} /></label>
          <label class="field field-wide"><span>Directory</span><input list="places" value={form.workspace} placeholder="the project's, or a fresh one" autocomplete="off" onInput={(event) => change({ workspace: event.currentTarget.value })} /></label>
          <label class="field"><span>Permissions</span>
            <select value={form.permissions} onChange={(event) => change({ permissions: event.currentTarget.value })}>
              <option value="">as configured</option><option value="ask">ask me</option><option value="allow">allow all</option><option value="deny">deny all</option>
            </select>
          </label>
        </div>
        <datalist id="projects">{projects.map((name) => <option key={name} value={name} />)}</datalist>
        <datalist id="places">{places.map((name) => <option key={name} value={name} />)}</datalist>
        {problem && <p class="bad" role="alert">Not started: {problem}</p>}
        <p><button type="submit" class="button button-main" disabled={isBusy}>{isBusy ? "Starting" : "Start"}</button> <span class="hint"><kbd>Ctrl</kbd> <kbd>Enter</kbd></span></p>
      </form>
    </div>
  );
}

function Missing({ agents }: { agents: Agent[] }) {
  if (agents.length === 0) return null;
  return (
    <details class="missing">
      <summary>{agents.map((agent) => agent.name).join(", ")} {agents.length === 1 ? "is" : "are"} not ready: how to set {agents.length === 1 ? "it" : "them"} up</summary>
      <dl>{agents.map((agent) => <div key={agent.name}><dt>{agent.name}</dt><dd>{visible(agent.problem ?? "")}</dd></div>)}</dl>
    </details>
  );
}
