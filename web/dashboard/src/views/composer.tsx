// The box to talk to an agent. What was typed is kept until the server has it, also when the page goes elsewhere.
import { useMemo, useRef, useState } from "preact/hooks";
import { signal, type Signal } from "@preact/signals";
import { action, sendMessage } from "../app/sends";
import { listen, canListen, type Listening } from "../app/voice";
import { api } from "../app/store";
import type { Session } from "../model/types";
import { bytes } from "../text/format";
import { visibleLine } from "../text/visible";
import { Icon } from "../ui/icons";

const drafts = new Map<string, Signal<string>>();
const kKey = "oriel.draft.";

function draftOf(sessionId: string): Signal<string> {
  let held = drafts.get(sessionId);
  if (!held) {
    let kept = "";
    try {
      kept = sessionStorage.getItem(kKey + sessionId) ?? "";
    } catch {
      // Kept by this page only.
    }
    drafts.set(sessionId, (held = signal(kept)));
  }
  return held;
}

function write(sessionId: string, text: string): void {
  draftOf(sessionId).value = text;
  try {
    if (text) sessionStorage.setItem(kKey + sessionId, text);
    else sessionStorage.removeItem(kKey + sessionId);
  } catch {
    // Kept by this page only.
  }
}

const addedFiles = new Map<string, Signal<readonly File[]>>();

function filesOf(sessionId: string): Signal<readonly File[]> {
  let held = addedFiles.get(sessionId);
  if (!held) addedFiles.set(sessionId, (held = signal<readonly File[]>([])));
  return held;
}

// What did not arrive goes back into the box, before what stands there.
export function putBack(sessionId: string, text: string, files: readonly File[]): void {
  const held = draftOf(sessionId).peek();
  write(sessionId, [text, held].filter(Boolean).join("\n"));
  filesOf(sessionId).value = [...files, ...filesOf(sessionId).peek()];
}

export function Composer({ session }: { session: Session }) {
  const id = session.session_id;
  const draft = draftOf(id).value;
  const files = filesOf(id).value;
  const setFiles = (next: readonly File[]): void => { filesOf(id).value = next; };
  const [listening, setListening] = useState<Listening | undefined>();
  const [wasSpoken, setSpoken] = useState(false);
  const [problem, setProblem] = useState("");
  const picker = useRef<HTMLInputElement>(null);
  const interrupt = useMemo(action, [id]);
  if (session.is_observed) return <p class="composer-closed">Somebody else runs this agent: it is shown here, and talked to in its own terminal.</p>;
  if (session.status === "completed") return <p class="composer-closed">This session has ended.</p>;
  const isRunning = session.status === "running" || session.queued > 0;
  const send = (): void => {
    const text = draft.trim();
    if (!text && files.length === 0) return;
    listening?.stop();
    sendMessage(id, text, { files: [...files], isVoice: wasSpoken });
    write(id, "");
    setFiles([]);
    setSpoken(false);
  };
  const speak = (): void => {
    if (listening) return listening.stop();
    setProblem("");
    setListening(listen({
      onText: (text) => { write(id, [draftOf(id).peek(), text].filter(Boolean).join(" ")); setSpoken(true); },
      onEnd: (told) => { setListening(undefined); setProblem(told); },
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
        placeholder={isRunning ? "It works. What you send waits for its turn" : session.status === "failed" ? "It failed. The next message tries again" : "Message"}
        onInput={(event) => write(id, event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          send();
        }} />
      <div class="composer-acts">
        <button type="button" class="icon-button" aria-label="Add files" onClick={() => picker.current?.click()}><Icon name="file" /></button>
        <input ref={picker} type="file" multiple hidden aria-hidden="true" tabIndex={-1} onChange={(event) => { setFiles([...files, ...(event.currentTarget.files ?? [])]); event.currentTarget.value = ""; }} />
        {canListen && <button type="button" class="icon-button" aria-label={listening ? "Stop listening" : "Speak"} aria-pressed={!!listening} onClick={speak}><Icon name="mic" /></button>}
        <span class="hint composer-hint"><kbd>Enter</kbd> sends, <kbd>Shift</kbd> <kbd>Enter</kbd> new line</span>
        {problem && <span class="bad" role="alert">{problem}</span>}
        {interrupt.state.value.status === "failed" && <span class="bad" role="alert">{interrupt.state.value.problem}</span>}
        {session.status === "running" && (
          <button type="button" class="button" onClick={() => void interrupt.run(() => api.cancel(id))} disabled={interrupt.state.value.status === "doing"}><Icon name="stop" />Interrupt</button>
        )}
        <button type="submit" class="button button-main" disabled={!draft.trim() && files.length === 0}><Icon name="send" />{isRunning ? "Queue" : "Send"}</button>
      </div>
    </form>
  );
}
