// The form that starts an agent.
import { useEffect, useState } from "preact/hooks";
import { go } from "../app/router";
import { changeStartForm, startForm, type StartForm } from "../app/start_form";
import { api, applySnapshot, errorText, sessions } from "../app/store";
import type { Agent, ClusterNode, StartBody } from "@oriel/client";
import { visible } from "../text/visible";

export function Start() {
  const form = startForm();
  const [agents, setAgents] = useState<Agent[]>([]);
  const [defaultAgent, setDefaultAgent] = useState("");
  const [nodes, setNodes] = useState<readonly ClusterNode[]>([]);
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [requestId, setRequestId] = useState(() => `page-${Date.now()}-${Math.random().toString(36).slice(2)}`);
  useEffect(() => {
    api.agents().then((result) => { setAgents(result.agents); setDefaultAgent(result.default); }, (error) => setProblem(errorText(error)));
    api.cluster().then((cluster) => setNodes(cluster.enabled ? cluster.nodes : []), () => {}); // the server chooses
  }, []);
  const change = (what: Partial<StartForm>): void => {
    changeStartForm(what);
    setRequestId(`page-${Date.now()}-${Math.random().toString(36).slice(2)}`);
  };
  const submit = async (): Promise<void> => {
    setBusy(true);
    setProblem("");
    try {
      const body: StartBody = { request_id: requestId };
      if (form.agent) body.agent = form.agent;
      if (form.project.trim()) body.project_id = form.project.trim();
      if (form.workspace.trim()) body.workspace = form.workspace.trim();
      if (form.message.trim()) body.message = form.message.trim();
      if (form.title) body.title = form.title; // of a follow-up
      if (form.permissions) body.permissions = form.permissions;
      if (nodes.some((node) => node.name === form.node)) body.node = form.node;
      const { session } = await api.start(body);
      applySnapshot(session);
      change({ message: "", title: "" });
      go("session", { sessionId: session.session_id });
    } catch (error) {
      setProblem(errorText(error));
    }
    setBusy(false);
  };
  const chosen = form.agent || defaultAgent;
  const completed = useDirectories(form.workspace, (workspace) => change({ workspace }));
  const projects = [...new Set(sessions.value.map((session) => session.project_id).filter(Boolean))];
  const known = [...new Set(sessions.value.filter((session) => !form.project || session.project_id === form.project).map((session) => session.workspace).filter(Boolean))].slice(0, 30);
  const directories = [...new Set([...completed, ...known])];
  return (
    <div class="page start">
      <header class="page-head"><h1>Start an agent</h1></header>
      <form class="start-form" onSubmit={(event) => { event.preventDefault(); void submit(); }}>
        <label class="field"><span>Prompt</span>
          <textarea rows={5} value={form.message} placeholder="Describe the task" onInput={(event) => change({ message: event.currentTarget.value })}
            onKeyDown={(event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); void submit(); } }} />
        </label>
        <fieldset class="agents">
          <legend>Agent</legend>
          {agents.filter((agent) => agent.available).map((agent) => (
            <label key={agent.name} class="agent">
              <input type="radio" name="agent" value={agent.name} checked={chosen === agent.name} onChange={() => change({ agent: agent.name })} />
              <span class="agent-name">{agent.name}</span>
              <span class="agent-note">{agent.sandbox !== "none" ? `Sandbox: ${agent.sandbox}` : `Permissions: ${agent.permissions}`}</span>
            </label>
          ))}
        </fieldset>
        <Unavailable agents={agents.filter((agent) => !agent.available)} />
        <div class="field-row">
          <label class="field"><span>Project</span><input list="projects" value={form.project} placeholder="None" autocomplete="off" onInput={(event) => change({ project: event.currentTarget.value })} /></label>
          <label class="field field-wide"><span>Directory</span><input list="directories" value={form.workspace} placeholder="Project directory or a new one" autocomplete="off" onInput={(event) => change({ workspace: event.currentTarget.value })} /></label>
          <label class="field"><span>Permissions</span>
            <select value={form.permissions} onChange={(event) => change({ permissions: event.currentTarget.value as StartForm["permissions"] })}>
              <option value="">Default</option><option value="ask">Ask</option><option value="allow">Allow all</option><option value="deny">Deny all</option>
            </select>
          </label>
          {nodes.length > 0 && (
            <label class="field"><span>Node</span>
              <select value={form.node} onChange={(event) => change({ node: event.currentTarget.value })}>
                <option value="">Any</option>{nodes.filter((node) => node.serving).map(({ name }) => <option key={name} value={name}>{name}</option>)}
              </select>
            </label>
          )}
        </div>
        <datalist id="projects">{projects.map((name) => <option key={name} value={name} />)}</datalist>
        <datalist id="directories">{directories.map((name) => <option key={name} value={name} />)}</datalist>
        {problem && <p class="bad" role="alert">Not started: {problem}</p>}
        <p><button type="submit" class="button button-main" disabled={isBusy}>{isBusy ? "Starting" : "Start"}</button> <span class="hint"><kbd>Ctrl</kbd> <kbd>Enter</kbd></span></p>
      </form>
    </div>
  );
}

const kDelay = 150; // ms without a key

// Directories of the server that complete what is typed. A leading "~" is replaced by what it stands for.
function useDirectories(typed: string, onExpanded: (path: string) => void): readonly string[] {
  const [found, setFound] = useState<readonly string[]>([]);
  useEffect(() => {
    if (!/^[/~]/.test(typed)) return setFound([]);
    let isStale = false;
    const timer = setTimeout(() => {
      api.directories({ match: typed, limit: 20 }).then(({ directories, match }) => {
        if (isStale) return;
        setFound(directories);
        if (match !== typed && typed.startsWith("~/")) onExpanded(match);
      }, () => !isStale && setFound([])); // it is only a help
    }, kDelay);
    return () => { isStale = true; clearTimeout(timer); };
  }, [typed]);
  return found;
}

function Unavailable({ agents }: { agents: Agent[] }) {
  if (agents.length === 0) return null;
  return (
    <details class="unavailable">
      <summary>Unavailable: {agents.map((agent) => agent.name).join(", ")}</summary>
      <dl>{agents.map((agent) => <div key={agent.name}><dt>{agent.name}</dt><dd>{visible(agent.problem)}</dd></div>)}</dl>
    </details>
  );
}
