// Rename, pin, archive and label a session.
import { useMemo, useState } from "preact/hooks";
import type { Session } from "@oriel/client";
import { action } from "../app/outbox";
import { may } from "../app/rights";
import { api, applySnapshot } from "../app/store";
import { visibleLine } from "../text/visible";

type Field = "" | "title" | "labels";

export function SessionOrganize({ session }: { session: Session }) {
  const change = useMemo(action, [session.session_id]);
  const [field, setField] = useState<Field>("");
  const { status } = change.state.value;
  const save = async (what: Parameters<typeof api.updateSession>[1]): Promise<void> => {
    if (await change.run(async () => applySnapshot(await api.updateSession(session.session_id, what)))) setField("");
  };
  const labels = session.labels ?? [];
  if (!may("start")) return labels.length > 0 ? <p class="session-organize"><Labels labels={labels} /></p> : null;
  return (
    <div class="session-organize">
      <Labels labels={labels} />
      {field === ""
        ? (
          <>
            <button type="button" class="link" onClick={() => setField("title")}>Rename</button>
            <button type="button" class="link" onClick={() => setField("labels")}>Labels</button>
            <button type="button" class="link" onClick={() => void save({ is_pinned: !session.is_pinned })}>{session.is_pinned ? "Unpin" : "Pin"}</button>
            <button type="button" class="link" onClick={() => void save({ is_archived: !session.is_archived })}>{session.is_archived ? "Unarchive" : "Archive"}</button>
          </>
        )
        : field === "title"
          ? <FieldForm label="Title" value={session.title} maxLength={300} onCancel={() => setField("")} onSave={(title) => void save({ title })} />
          : <FieldForm label="Labels, separated by spaces" value={labels.join(" ")} maxLength={1000} onCancel={() => setField("")} onSave={(text) => void save({ labels: text.split(/[\s,]+/).filter(Boolean) })} />}
      {status === "failed" && <span class="bad" role="alert">Not saved: {change.state.value.status === "failed" && change.state.value.problem}</span>}
    </div>
  );
}

function Labels({ labels }: { labels: readonly string[] }) {
  return <>{labels.map((label) => <span key={label} class="tag">{visibleLine(label, 40)}</span>)}</>;
}

interface FieldProps {
  label: string;
  value: string;
  maxLength: number;
  onSave: (text: string) => void;
  onCancel: () => void;
}

function FieldForm({ label, value, maxLength, onSave, onCancel }: FieldProps) {
  const [text, setText] = useState(value);
  return (
    <form class="organize-form" onSubmit={(event) => { event.preventDefault(); onSave(text.trim()); }}
      onKeyDown={(event) => { event.stopPropagation(); if (event.key === "Escape") onCancel(); }}>
      <input aria-label={label} placeholder={label} value={text} maxLength={maxLength} ref={(element) => { if (element && document.activeElement !== element) element.focus(); }} onInput={(event) => setText(event.currentTarget.value)} />
      <button type="submit" class="button">Save</button>
      <button type="button" class="button" onClick={onCancel}>Cancel</button>
    </form>
  );
}
