// The command palette: goes to a session or a view, to what waits for an answer, or starts an agent with what is typed.
import { signal } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { may } from "../app/rights";
import { go } from "../app/router";
import { changeStartForm } from "../app/start_form";
import { needs, projectName, sessions } from "../app/store";
import { inOrder } from "../model/attention";
import { matching, type Entry } from "../model/palette";
import type { View } from "../model/route";
import { visibleLine } from "../text/visible";
import { stateLabel } from "../ui/state_pill";
import { titleOf } from "./session_card";

export const isPaletteOpen = signal(false);

export interface PaletteView {
  view: View;
  label: string;
  key: string;
}

function entriesOf(views: readonly PaletteView[]): Entry[] {
  const open = (id: string) => (): void => go("session", { sessionId: id });
  const waiting = needs.peek().filter((need) => need.kind === "permission" && may("answer")).map((need): Entry => ({
    key: need.key, group: "Answer", title: need.kind === "permission" ? visibleLine(need.permission.title, 100) : "", detail: titleOf(need.session), run: open(need.session.session_id),
  }));
  const all = inOrder(sessions.peek()).map((session): Entry => ({
    key: session.session_id, group: "Session", title: titleOf(session),
    detail: [visibleLine(projectName(session.project_id), 40), session.agent, stateLabel(session)].filter(Boolean).join(" \u00b7 "), run: open(session.session_id),
  }));
  return [...waiting, ...views.map(({ view, label, key }): Entry => ({ key: view, group: "View", title: label, detail: key, run: () => go(view) })), ...all];
}

function startEntry(text: string): Entry[] {
  if (!text || !may("start")) return [];
  return [{ key: "start", group: "Start", title: visibleLine(text, 100), detail: "", run: () => { changeStartForm({ message: text }); go("start"); } }];
}

function searchEntry(text: string): Entry[] {
  if (!text) return [];
  const query = new URLSearchParams({ q: text });
  return [{ key: "search", group: "Search", title: `Search for ${visibleLine(text, 100)}`, detail: "", run: () => go("search", { query }) }];
}

export function Palette({ views }: { views: readonly PaletteView[] }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [entries] = useState(() => entriesOf(views)); // they do not move while the user chooses
  const [text, setText] = useState("");
  const [selected, setSelected] = useState(0);
  useLayoutEffect(() => dialog.current?.showModal(), []); // before the next key
  const found = [...matching(entries, text.trim()), ...startEntry(text.trim()), ...searchEntry(text.trim())];
  const at = Math.min(selected, found.length - 1);
  const close = (): void => { isPaletteOpen.value = false; };
  const run = (entry: Entry | undefined): void => {
    if (!entry) return;
    close();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (move !== 0) setSelected((before) => (Math.min(before, found.length - 1) + move + found.length) % Math.max(1, found.length));
    else if (event.key === "Enter" && !event.isComposing) run(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Commands" onClose={close} onClick={(event) => event.target === dialog.current && dialog.current?.close()}>
      <input type="text" role="combobox" aria-expanded="true" aria-controls="palette-list" aria-activedescendant={found[at] && `palette-${at}`} aria-label="Search commands and sessions"
        placeholder="Go to a session or view, search, or describe a task" value={text} autocomplete="off" spellcheck={false}
        onInput={(event) => { setText(event.currentTarget.value); setSelected(0); }} onKeyDown={onKeyDown} />
      <ul id="palette-list" role="listbox" aria-label="Results">
        {found.map((entry, i) => (
          <li key={`${entry.group}/${entry.key}`} id={`palette-${i}`} role="option" aria-selected={i === at} onClick={() => run(entry)} onPointerMove={() => setSelected(i)}>
            <span class="palette-group">{entry.group}</span><span class="palette-title" dir="auto">{entry.title}</span><span class="palette-detail">{entry.detail}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="dim">No match</p>}
    </dialog>
  );
}
