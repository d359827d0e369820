// What is written to an agent and not sent yet: text, which survives navigation and reloads, and files, which survive navigation.
import { signal, type Signal } from "@preact/signals";

const kKey = "oriel.draft.";
const drafts = new Map<string, Signal<string>>();
const attachments = new Map<string, Signal<readonly File[]>>();

export function draftOf(sessionId: string): Signal<string> {
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

export function setDraft(sessionId: string, text: string): void {
  draftOf(sessionId).value = text;
  try {
    if (text) sessionStorage.setItem(kKey + sessionId, text);
    else sessionStorage.removeItem(kKey + sessionId);
  } catch {
    // Storage is blocked: the draft survives navigation only.
  }
}

export function filesOf(sessionId: string): Signal<readonly File[]> {
  let files = attachments.get(sessionId);
  if (!files) attachments.set(sessionId, (files = signal<readonly File[]>([])));
  return files;
}

export function addFiles(sessionId: string, files: Iterable<File>): void {
  filesOf(sessionId).value = [...filesOf(sessionId).peek(), ...files];
}

// Puts a failed message back, before the current draft.
export function restoreDraft(sessionId: string, text: string, files: readonly File[]): void {
  setDraft(sessionId, [text, draftOf(sessionId).peek()].filter(Boolean).join("\n"));
  filesOf(sessionId).value = [...files, ...filesOf(sessionId).peek()];
}
