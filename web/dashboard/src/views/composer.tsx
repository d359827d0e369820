// The message field. A draft survives navigation and reloads until it is sent.
import { useMemo, useRef, useState } from "preact/hooks";
import { signal, type Signal } from "@preact/signals";
import { action, sendMessage } from "../app/outbox";
import { may } from "../app/rights";
import { canDictate, dictate, type Dictation } from "../app/voice";
import { api } from "../app/store";
import type { Session } from "@oriel/client";
import { bytes } from "../text/format";
import { visibleLine } from "../text/visible";
import { Icon } from "../ui/icons";

const drafts = new Map<string, Signal<string>>();
const kKey = "oriel.draft.";

function draftOf(sessionId: string): Signal<string> {
  let draft = drafts.get(sessionId);
  if (!draft) {
    let stored = "";
    try {
      stored = sessionStorage.getItem(kKey + sessionId) ?? "";
    } catch {
      // Storage is blocked.
    }
    drafts.set(sessionId, (draft = signal(stored)));
  }
  return draft;
}

function setDraft(sessionId: string, text: string): void {
  draftOf(sessionId).value = text;
  try {
    if (text) sessionStorage.setItem(kKey + sessionId, text);
    else sessionStorage.removeItem(kKey + sessionId);
  } catch {
    // Storage is blocked: the draft survives navigation only.
  }
}

const attachments = new Map<string, Signal<readonly File[]>>();

function filesOf(sessionId: string): Signal<readonly File[]> {
  let files = attachments.get(sessionId);
  if (!files) attachments.set(sessionId, (files = signal<readonly File[]>([])));
  return files;
}

// Puts a failed message back, before the current draft.
export function restoreDraft(sessionId: string, text: string, files: readonly File[]): void {
  setDraft(sessionId, [text, draftOf(sessionId).peek()].filter(Boolean).join("\n"));
  filesOf(sessionId).value = [...files, ...filesOf(sessionId).peek()];
}

export function Composer({ session }: { session: Session }) {
  const id = session.session_id;
  const draft = draftOf(id).value;
  const files = filesOf(id).value;
  const setFiles = (next: readonly File[]): void => { filesOf(id).value = next; };
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
  return (
    <form class="composer" onSubmit={(event) => { event.preventDefault(); send(); }}
      onDragOver={(event) => event.preventDefault()} onDrop={(event) => { event.preventDefault(); setFiles([...files, ...(event.dataTransfer?.files ?? [])]); }}>
      {files.length > 0 && (
        <ul class="files">
          {files.map((file, i) => (
            <li key={i}><Icon name="file" />{visibleLine(file.name, 60)} <span class="dim">{bytes(file.size)}</span>
              <button type="button" class="icon-button" aria-label={`Remove ${visibleLine(file.name, 60)}`} onClick={() => setFiles(files.filter((_, j) => j !== i))}><Icon name="close" /></button></li>
          ))}
        </ul>
      )}
      <textarea id="composer" rows={Math.min(10, Math.max(2, draft.split("\n").length))} value={draft} aria-label="Message to the agent" autocomplete="off"
        placeholder={isRunning ? "Queue a message" : session.status === "failed" ? "Send a message to retry" : "Message"}
        onInput={(event) => setDraft(id, event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          send();
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
