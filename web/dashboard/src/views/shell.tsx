// The frame of the page: navigation, connection status and the list of sessions.
import { useComputed } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { loginProblem } from "../app/access";
import { phase } from "../app/liveness";
import { may } from "../app/rights";
import { go, keepScroll, route, scrollOfEntry } from "../app/router";
import { connection, counts, needs, sessions, sessionSignal } from "../app/store";
import { activityOf, inOrder } from "../model/attention";
import { addressOf, type View } from "../model/route";
import { ConnectionBanner, ConnectionStatus } from "../ui/connection_status";
import { Icon, Mark } from "../ui/icons";
import { isTyping } from "../ui/keys";
import { Events } from "./events";
import { Import } from "./import";
import { NeedsYou } from "./needs_you";
import { Overview } from "./overview";
import { isPaletteOpen, Palette } from "./palette";
import { SessionPage } from "./session_page";
import { titleOf } from "./session_card";
import { Search } from "./search";
import { Start } from "./start";
import { System } from "./system";

interface Entry {
  view: View;
  label: string;
  icon: Parameters<typeof Icon>[0]["name"];
  key: string;
  needs?: "start" | "admin"; // not offered without this right
}

const kNavigation: Entry[] = [
  { view: "overview", label: "Agents", icon: "overview", key: "o" },
  { view: "needs-you", label: "Needs you", icon: "needs", key: "n" },
  { view: "start", label: "Start", icon: "start", key: "s", needs: "start" },
  { view: "search", label: "Search", icon: "search", key: "f" },
  { view: "events", label: "Events", icon: "events", key: "e" },
  { view: "import", label: "Import", icon: "import", key: "i", needs: "admin" },
  { view: "system", label: "System", icon: "system", key: "y" },
];

const offered = (): Entry[] => kNavigation.filter(({ needs: right }) => !right || may(right));

function Nav() {
  const waiting = useComputed(() => needs.value.filter((need) => need.kind !== "failed").length).value;
  const current = route.value.view;
  return (
    <nav aria-label="Views">
      {offered().map(({ view, label, icon, key }) => (
        <a key={view} href={addressOf(view)} aria-current={current === view ? "page" : undefined} title={`${label} (${key})`}>
          <Icon name={icon} /><span>{label}</span>
          {view === "needs-you" && waiting > 0 && <span class="badge" aria-label={`${waiting} waiting`}>{waiting}</span>}
        </a>
      ))}
    </nav>
  );
}

const kLinkHeight = 28; // px

// The most relevant sessions. They are moved by transforms, which shift no layout.
function SessionList() {
  const order = useComputed(() => {
    return inOrder(sessions.value).slice(0, 40).map((session) => session.session_id).join("\n");
  }).value;
  const here = route.value;
  const ids = order.split("\n").filter(Boolean);
  return (
    <div class="session-list" role="navigation" aria-label="Sessions">
      <div class="placed" style={{ height: `${ids.length * kLinkHeight}px` }}>
        {ids.map((id, i) => (
          <div key={id} class="link-place" style={{ transform: `translateY(${i * kLinkHeight}px)` }}>
            <SessionLink id={id} isCurrent={here.view === "session" && here.sessionId === id} />
          </div>
        ))}
      </div>
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
  useArrival();
  switch (view) {
    case "overview": return <Overview />;
    case "needs-you": return <NeedsYou />;
    case "session": return <SessionPage key={sessionId} id={sessionId} />;
    case "start": return may("start") ? <Start /> : <NotAllowed />;
    case "search": return <Search />;
    case "events": return <Events />;
    case "import": return may("admin") ? <Import /> : <NotAllowed />;
    case "system": return <System />;
  }
}

function NotAllowed() {
  return <div class="page"><div class="empty"><p class="empty-title">Not allowed</p><p>This view needs a scope that your login does not have.</p></div></div>;
}

const mainOf = (): HTMLElement => document.getElementById("main")!;

// Moves the focus to a new view, so that screen readers announce it, and restores its scroll position when the user goes back.
function useArrival(): void {
  const current = `${route.value.view}/${route.value.sessionId}`;
  const first = useRef(current);
  useLayoutEffect(() => {
    if (first.current === current) return;
    first.current = "";
    mainOf().focus({ preventScroll: true });
    mainOf().scrollTo(0, scrollOfEntry());
  }, [current]);
}

function useKeys(onHelp: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
        isPaletteOpen.value = !isPaletteOpen.peek();
        return event.preventDefault();
      }
      if (event.key === "Escape" && isTyping(event) && !event.isComposing) (event.target as HTMLElement).blur();
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = offered().find(({ key }) => key === event.key);
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
  const [isHelpShown, setHelp] = useState(false);
  useKeys(() => setHelp(true));
  const state = connection.value;
  return (
    <div class="shell" data-phase={phase.value}>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); mainOf().focus(); }}>Skip to content</a>
      <aside class="side">
        <div class="brand"><a href={addressOf("overview")}><Mark /><span>Oriel</span></a><ConnectionStatus /></div>
        <Nav />
        <SessionList />
        <p class="side-foot"><button type="button" class="link" onClick={() => { isPaletteOpen.value = true; }}>Commands</button> <kbd>Ctrl</kbd> <kbd>K</kbd></p>
        <p class="side-foot"><button type="button" class="link" onClick={() => setHelp(true)}>Keyboard shortcuts</button> <kbd>?</kbd></p>
      </aside>
      <main id="main" tabIndex={-1} onScroll={(event) => keepScroll(event.currentTarget.scrollTop)}>
        <ConnectionBanner />
        {state.phase === "closed" && state.status === 401 ? <LoginHelp /> : <Body />}
      </main>
      <p class="sr-only" role="status" aria-live="polite">{counts.value.needs_you > 0 ? `${counts.value.needs_you} need you` : ""}</p>
      {isPaletteOpen.value && <Palette views={offered()} />}
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

const shortcuts = (): [string, string][] => [
  ...offered().map(({ key, label }): [string, string] => [key, label]), ["Ctrl K", "Commands"], ["/", "Filter"], ["c", "Message"], ["j k", "Next, previous"], ["1 \u2026 9", "Answer"], ["Esc", "Leave the field, close"],
];

function Help({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="help" aria-label="Keyboard shortcuts" onClose={onClose} onClick={(event) => event.target === dialog.current && dialog.current?.close()}>
      <h2>Keyboard shortcuts</h2>
      <dl>{shortcuts().map(([key, what]) => <div key={key}><dt>{key.split(" ").map((one) => <kbd key={one}>{one}</kbd>)}</dt><dd>{what}</dd></div>)}</dl>
      <button type="button" class="button" onClick={() => dialog.current?.close()}>Close</button>
    </dialog>
  );
}
