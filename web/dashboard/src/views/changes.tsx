// What a session has changed: the files, a diff, and comments for the agent.
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Changes, Session } from "@oriel/client";
import { ChangesState } from "../app/changes";
import { go, route } from "../app/router";
import { addressOf } from "../model/route";
import { plural } from "../text/format";
import { visible, visibleLine } from "../text/visible";
import { copy, CopyButton } from "../ui/copy_button";
import { ChangedFiles } from "./changed_files";
import { PatchView } from "./patch_view";
import { ReviewPanel } from "./review_panel";
import { SessionOrganize } from "./session_organize";

const kChanges = new URLSearchParams({ view: "changes" });

export function SessionTabs({ id, session }: { id: string; session: Session | undefined }) {
  const isChanges = route.value.query.get("view") === "changes";
  return (
    <div class="session-tabs">
      <div role="navigation" class="session-views" aria-label="Views of the session">
        <a href={addressOf("session", { sessionId: id })} aria-current={isChanges ? undefined : "page"}>Conversation</a>
        <a href={addressOf("session", { sessionId: id, query: kChanges })} aria-current={isChanges ? "page" : undefined}>Changes</a>
      </div>
      {session && <SessionOrganize session={session} />}
    </div>
  );
}

export function ChangesView({ id, session }: { id: string; session: Session | undefined }) {
  const state = useMemo(() => new ChangesState(id), [id]);
  useEffect(() => () => state.close(), [state]);
  const list = state.list.value;
  if (list.phase === "loading") return <div class="changes"><p class="changes-note" role="status">Loading changes</p></div>;
  if (list.phase === "failed") {
    return (
      <div class="changes">
        <p class="banner banner-warn" role="alert">Changes not loaded: {list.problem} <button type="button" class="button" onClick={() => void state.load()}>Retry</button></p>
      </div>
    );
  }
  return <LoadedChanges state={state} changes={list.value} session={session} />;
}

function LoadedChanges({ state, changes, session }: { state: ChangesState; changes: Changes; session: Session | undefined }) {
  const wanted = route.value.query.get("file") ?? "";
  const file = changes.files.find(({ path }) => path === wanted) ?? changes.files[0];
  const select = (path: string): void => go("session", { sessionId: state.id, query: new URLSearchParams({ view: "changes", file: path }), replace: true });
  return (
    <div class="changes">
      <ChangesHead state={state} changes={changes} />
      {changes.files.length === 0 && <div class="empty"><p class="empty-title">No changes</p></div>}
      {file && (
        <div class="changes-body">
          <ChangedFiles files={changes.files} count={changes.count} selected={file.path} onSelect={select} />
          <PatchView key={`${changes.snapshot} ${file.path}`} state={state} file={file} canComment={!!session && !session.is_observed && session.status !== "completed"} />
        </div>
      )}
      <ReviewPanel id={state.id} />
    </div>
  );
}

function ChangesHead({ state, changes }: { state: ChangesState; changes: Changes }) {
  return (
    <header class="changes-head">
      <p class="changes-sum">
        <span>{plural(changes.count, "file")} changed</span> <span class="diff-added">+{changes.added}</span> <span class="diff-removed">{"\u2212"}{changes.removed}</span>
        {changes.branch?.name && <span class="tag mono" title="Branch">{visibleLine(changes.branch.name, 80)}</span>}
      </p>
      <div class="changes-actions">
        {state.isStale.value && <span class="hint" role="status">The agent has worked since.</span>}
        <button type="button" class="button" disabled={state.isReloading.value} onClick={() => void state.load()}>Refresh</button>
        {changes.count > 0 && <CopyPatch state={state} />}
      </div>
      {changes.note && <p class="changes-note">{visible(changes.note)}</p>}
      {changes.left_out_count > 0 && (
        <p class="changes-note">Not compared, too large or unreadable: {changes.left_out.slice(0, 5).map((path) => visibleLine(path, 80)).join(", ")}
          {changes.left_out_count > 5 ? ` and ${changes.left_out_count - 5} more` : ""}</p>
      )}
      {changes.commands.length > 0 && changes.count > 0 && (
        <details class="changes-commands">
          <summary>Commit, push, open a pull request</summary>
          <ul>
            {changes.commands.map(({ name, command }) => (
              <li key={name}><code>{visible(command)}</code><CopyButton label="Copy command" text={() => visible(command)} /></li>
            ))}
          </ul>
        </details>
      )}
    </header>
  );
}

function CopyPatch({ state }: { state: ChangesState }) {
  const [result, setResult] = useState("");
  const onClick = async (): Promise<void> => {
    setResult("Copying");
    try {
      const { patch, is_truncated: isTruncated, is_masked: isMasked } = await state.patch();
      await copy(patch);
      setResult(isTruncated ? "Copied the first part: the patch is too long" : isMasked ? "Copied, with secrets masked" : "Copied");
    } catch {
      setResult("Copying failed");
    }
  };
  return (
    <>
      <span class="hint" role="status">{result}</span>
      <button type="button" class="button" onClick={() => void onClick()}>Copy patch</button>
    </>
  );
}
