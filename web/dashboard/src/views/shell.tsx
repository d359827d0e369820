// The frame of the page: navigation, connection status and the list of sessions.
import { useComputed } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { loginProblem } from "../app/access";
import { go, route } from "../app/router";
import { connection, counts, needs, sessions, sessionSignal } from "../app/store";
import { kActivities, activityOf } from "../model/attention";
import { addressOf, type View } from "../model/route";
import { ConnectionBanner, ConnectionStatus } from "../ui/connection_status";
import { Icon, Mark } from "../ui/icons";
import { isTyping } from "../ui/keys";
import { Events } from "./events";
import { Import } from "./import";
import { NeedsYou } from "./needs_you";
import { Overview } from "./overview";
import { SessionPage } from "./session_page";
import { titleOf } from "./session_card";
import { Start } from "./start";
import { System } from "./system";

const kNavigation: { view: View; label: string; icon: Parameters<typeof Icon>[0]["name"]; key: string; isSmall: boolean }[] = [
  { view: "overview", label: "Agents", icon: "overview", key: "o", isSmall: true },
  { view: "needs-you", label: "Needs you", icon: "needs", key: "n", isSmall: true },
  { view: "start", label: "Start", icon: "start", key: "s", isSmall: true },
  { view: "events", label: "Events", icon: "events", key: "e", isSmall: false },
  { view: "import", label: "Import", icon: "import", key: "i", isSmall: false },
  { view: "system", label: "System", icon: "system", key: "y", isSmall: true },
];

function Nav() {
  const waiting = useComputed(() => needs.value.filter((need) => need.kind !== "failed").length).value;
  const current = route.value.view;
  return (
    <nav aria-label="Views">
      {kNavigation.map(({ view, label, icon, key, isSmall }) => (
        <a key={view} href={addressOf(view)} aria-current={current === view ? "page" : undefined} title={`${label} (${key})`} data-small={isSmall}>
          <Icon name={icon} /><span>{label}</span>
          {view === "needs-you" && waiting > 0 && <span class="badge" aria-label={`${waiting} waiting`}>{waiting}</span>}
        </a>
      ))}
    </nav>
  );
}

// The most relevant sessions.
function SessionList() {
  const order = useComputed(() => {
    const list = [...sessions.value].sort((a, b) => kActivities.indexOf(activityOf(a)) - kActivities.indexOf(activityOf(b)) || (a.created_at < b.created_at ? 1 : -1));
    return list.slice(0, 40).map((session) => session.session_id).join("\n");
  }).value;
  const here = route.value;
  return (
    <div class="session-list" role="navigation" aria-label="Sessions">
      {order.split("\n").filter(Boolean).map((id) => <SessionLink key={id} id={id} isCurrent={here.view === "session" && here.sessionId === id} />)}
    </div>
  );
}

function SessionLink({ id, isCurrent }: { id: string; isCurrent: boolean }) {
  const session = sessionSignal(id).value;
  if (!session) return null;
  const activity = activityOf(session);
  return (
    <a href={addressOf("session", { sessionId: id })} aria-current={isCurrent ? "page" : undefined}>
      <span class="pill-dot" data-activity={activity} aria-hidden="true" /><span class="session-list-title" dir="auto">{titleOf(session)}</span>
      <span class="sr-only">{activity.replace("_", " ")}</span>
    </a>
  );
}

function Body() {
  const { view, sessionId } = route.value;
  switch (view) {
    case "overview": return <Overview />;
    case "needs-you": return <NeedsYou />;
    case "session": return <SessionPage key={sessionId} id={sessionId} />;
    case "start": return <Start />;
    case "events": return <Events />;
    case "import": return <Import />;
    case "system": return <System />;
  }
}

// Moves the focus to a new view, so that screen readers announce it.
function useFocusOnView(): { current: HTMLElement | null } {
  const main = useRef<HTMLElement>(null);
  const current = `${route.value.view}/${route.value.sessionId}`;
  const first = useRef(current);
  useEffect(() => {
    if (first.current === current) return;
    first.current = "";
    main.current?.focus({ preventScroll: true });
    main.current?.scrollTo(0, 0);
  }, [current]);
  return main;
}

function useKeys(onHelp: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = kNavigation.find(({ key }) => key === event.key);
      if (target) go(target.view);
      else if (event.key === "?") onHelp();
      else if (event.key === "/" || event.key === "c") {
        const field = document.getElementById(event.key === "/" ? "filter-text" : "composer");
        if (!field) return;
        field.focus();
        event.preventDefault();
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

export function Shell() {
  const main = useFocusOnView();
  const [isHelpShown, setHelp] = useState(false);
  useKeys(() => setHelp(true));
  const state = connection.value;
  return (
    <div class="shell" data-phase={state.phase}>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); main.current?.focus(); }}>Skip to content</a>
      <aside class="side">
        <div class="brand"><a href={addressOf("overview")}><Mark /><span>Oriel</span></a><ConnectionStatus /></div>
        <Nav />
        <SessionList />
        <p class="side-foot"><button type="button" class="link" onClick={() => setHelp(true)}>Keyboard shortcuts</button></p>
      </aside>
      <main id="main" tabIndex={-1} ref={main}>
        <ConnectionBanner />
        {state.phase === "closed" && state.status === 401 ? <LoginHelp /> : <Body />}
      </main>
      <p class="sr-only" role="status" aria-live="polite">{counts.value.needs_you > 0 ? `${counts.value.needs_you} need you` : ""}</p>
      {isHelpShown && <Help onClose={() => setHelp(false)} />}
    </div>
  );
}

function LoginHelp() {
  return (
    <div class="page"><div class="empty">
      <p class="empty-title">Login required</p>
      {loginProblem && <p class="bad" role="alert">{loginProblem}</p>}
      <p>On the server's machine, run <code>oriel login-link</code> and open its link here.</p>
    </div></div>
  );
}

const kShortcuts: [string, string][] = [
  ...kNavigation.map(({ key, label }): [string, string] => [key, label]), ["/", "Filter"], ["c", "Message"], ["j k", "Next, previous"], ["1 \u2026 9", "Answer"], ["Esc", "Close"],
];

function Help({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="help" aria-label="Keyboard shortcuts" onClose={onClose} onClick={(event) => event.target === dialog.current && dialog.current?.close()}>
      <h2>Keyboard shortcuts</h2>
      <dl>{kShortcuts.map(([key, what]) => <div key={key}><dt>{key.split(" ").map((one) => <kbd key={one}>{one}</kbd>)}</dt><dd>{what}</dd></div>)}</dl>
      <button type="button" class="button" onClick={() => dialog.current?.close()}>Close</button>
    </dialog>
  );
}
