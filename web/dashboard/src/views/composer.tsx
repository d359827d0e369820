// The message field: text, files that are chosen, pasted or dropped, files of the workspace by "@", earlier messages by the arrow keys.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { addFiles, draftOf, filesOf, setDraft } from "../app/drafts";
import { action, sendMessage } from "../app/outbox";
import { keepPrompt, sentPrompts } from "../app/prompts";
import { may } from "../app/rights";
import { canDictate, dictate, type Dictation } from "../app/voice";
import { api } from "../app/store";
import type { Session } from "@oriel/client";
import type { Item } from "../model/items";
import { completed, mentionAt } from "../model/mention";
import { historyStep, promptHistory } from "../model/prompt_history";
import { bytes } from "../text/format";
import { visibleLine } from "../text/visible";
import { Icon } from "../ui/icons";
import { Thumbnail } from "../ui/thumbnail";
import { kMentionList, MentionList, mentionId, useMentionPaths } from "./mention_list";

interface Props {
  session: Session;
  items: () => readonly Item[]; // of the conversation
}

export function Composer({ session, items }: Props) {
  const id = session.session_id;
  const draft = draftOf(id).value;
  const files = filesOf(id).value;
  const setFiles = (next: readonly File[]): void => { filesOf(id).value = next; };
  const [caret, setCaret] = useState(-1); // -1: nothing is completed
  const [chosen, setChosen] = useState(0);
  const history = useRef<{ texts: readonly string[]; at: number }>({ texts: [], at: -1 });
  const field = useRef<HTMLTextAreaElement>(null);
  const nextCaret = useRef<number | undefined>(undefined); // for the next text
  const mention = caret < 0 ? undefined : mentionAt(draft, caret);
  const paths = useMentionPaths(id, mention);
  useDrop(!session.is_observed && session.status !== "completed" && may("start") ? id : "");
  useEffect(() => {
    if (nextCaret.current === undefined) return;
    field.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = undefined;
  }, [draft]);
  const [dictation, setDictation] = useState<Dictation | undefined>();
  const [isVoice, setVoice] = useState(false);
  const [problem, setProblem] = useState("");
  const picker = useRef<HTMLInputElement>(null);
  const interrupt = useMemo(action, [id]);
  if (session.is_observed) return <p class="composer-closed">Observed agent: write to it in its terminal.</p>;
  if (session.status === "completed") return <p class="composer-closed">Session ended</p>;
  if (!may("start")) return <p class="composer-closed">Your login cannot send messages.</p>;
  const isRunning = session.status === "running" || session.queued > 0;
  const send = (): void => {
    const text = draft.trim();
    if (!text && files.length === 0) return;
    dictation?.stop();
    sendMessage(id, text, { files: [...files], isVoice });
    keepPrompt(text);
    history.current.at = -1;
    setCaret(-1);
    setDraft(id, "");
    setFiles([]);
    setVoice(false);
  };
  const toggleDictation = (): void => {
    if (dictation) return dictation.stop();
    setProblem("");
    setDictation(dictate({
      onText: (text) => { setDraft(id, [draftOf(id).peek(), text].filter(Boolean).join(" ")); setVoice(true); },
      onEnd: (error) => { setDictation(undefined); setProblem(error); },
    }));
  };
  const write = (text: string, at: number): void => {
    nextCaret.current = at;
    setDraft(id, text);
  };
  const pick = (path: string): void => {
    const next = completed(draft, mention!, path);
    write(next.text, next.caret);
    setCaret(path.endsWith("/") ? next.caret : -1);
    setChosen(0);
  };
  // Returns whether the key was for the list of paths.
  const completeBy = (event: KeyboardEvent): boolean => {
    if (paths.length === 0) return false;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") setChosen((chosen + (event.key === "ArrowDown" ? 1 : paths.length - 1)) % paths.length);
    else if ((event.key === "Enter" && !event.shiftKey) || event.key === "Tab") pick(paths[Math.min(chosen, paths.length - 1)]!);
    else if (event.key === "Escape") setCaret(-1);
    else return false;
    return true;
  };
  const recallBy = (event: KeyboardEvent): boolean => {
    const step = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (step === 0 || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return false;
    if (draft === "") history.current = { texts: promptHistory(items(), sentPrompts()), at: -1 };
    const at = historyStep(history.current.texts, history.current.at, step, draft);
    if (at === undefined) return false;
    history.current.at = at;
    const text = at < 0 ? "" : history.current.texts[at]!;
    write(text, text.length);
    return true;
  };
  return (
    <form class="composer" onSubmit={(event) => { event.preventDefault(); send(); }}>
      {paths.length > 0 && <MentionList paths={paths} selected={Math.min(chosen, paths.length - 1)} onPick={pick} />}
      {files.length > 0 && (
        <ul class="files">
          {files.map((file, i) => (
            <li key={i}><Thumbnail key={`${file.name}/${file.lastModified}/${file.size}`} file={file} />{visibleLine(file.name, 60)} <span class="dim">{bytes(file.size)}</span>
              <button type="button" class="icon-button" aria-label={`Remove ${visibleLine(file.name, 60)}`} onClick={() => setFiles(files.filter((_, j) => j !== i))}><Icon name="close" /></button></li>
          ))}
        </ul>
      )}
      <textarea id="composer" rows={Math.min(10, Math.max(2, draft.split("\n").length))} value={draft} aria-label="Message to the agent" autocomplete="off"
        placeholder={isRunning ? "Queue a message" : session.status === "failed" ? "Send a message to retry" : "Message"}
        ref={field} aria-autocomplete="list" aria-controls={paths.length > 0 ? kMentionList : undefined} aria-activedescendant={paths.length > 0 ? mentionId(Math.min(chosen, paths.length - 1)) : undefined}
        onInput={(event) => { setDraft(id, event.currentTarget.value); setCaret(event.currentTarget.selectionStart); setChosen(0); }}
        onBlur={() => setCaret(-1)}
        onPaste={(event) => {
          const pasted = event.clipboardData?.files;
          if (!pasted?.length) return;
          event.preventDefault();
          addFiles(id, pasted);
        }}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (completeBy(event) || recallBy(event)) {
            event.preventDefault();
            event.stopPropagation(); // Escape closes the list only
          } else if (event.key === "Enter" && !event.shiftKey) {
            event.preventDefault();
            send();
          }
        }} />
      <div class="composer-actions">
        <button type="button" class="icon-button" aria-label="Attach files" onClick={() => picker.current?.click()}><Icon name="file" /></button>
        <input ref={picker} type="file" multiple hidden aria-hidden="true" tabIndex={-1} onChange={(event) => { setFiles([...files, ...(event.currentTarget.files ?? [])]); event.currentTarget.value = ""; }} />
        {canDictate && <button type="button" class="icon-button" aria-label={dictation ? "Stop dictation" : "Dictate"} aria-pressed={!!dictation} onClick={toggleDictation}><Icon name="mic" /></button>}
        <span class="hint composer-hint"><kbd>Enter</kbd> send, <kbd>Shift</kbd> <kbd>Enter</kbd> new line</span>
        {problem && <span class="bad" role="alert">{problem}</span>}
        {interrupt.state.value.status === "failed" && <span class="bad" role="alert">{interrupt.state.value.problem}</span>}
        {session.status === "running" && (
          <button type="button" class="button" onClick={() => void interrupt.run(() => api.cancel(id))} disabled={interrupt.state.value.status === "running"}><Icon name="stop" />Interrupt</button>
        )}
        <button type="submit" class="button button-main" disabled={!draft.trim() && files.length === 0}><Icon name="send" />{isRunning ? "Queue" : "Send"}</button>
      </div>
    </form>
  );
}

// Files that are dropped anywhere in the session are attached; the browser would open them instead.
function useDrop(sessionId: string): void {
  useEffect(() => {
    if (!sessionId) return;
    const hasFiles = (event: DragEvent): boolean => !!event.dataTransfer?.types.includes("Files");
    const mark = (event: DragEvent, isOver: boolean): void => {
      if (hasFiles(event)) document.getElementById("main")?.toggleAttribute("data-drop", isOver);
    };
    const onOver = (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault();
      mark(event, true);
    };
    const onLeave = (event: DragEvent): void => {
      if (!event.relatedTarget) mark(event, false);
    };
    const onDrop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      mark(event, false);
      addFiles(sessionId, event.dataTransfer!.files);
    };
    addEventListener("dragover", onOver);
    addEventListener("dragleave", onLeave);
    addEventListener("drop", onDrop);
    return () => {
      removeEventListener("dragover", onOver);
      removeEventListener("dragleave", onLeave);
      removeEventListener("drop", onDrop);
      document.getElementById("main")?.removeAttribute("data-drop");
    };
  }, [sessionId]);
}
