// One session: its conversation, permission requests and message field.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Clock, now } from "../app/clock";
import { restoreDraft } from "../app/drafts";
import { drop, outboxOf, sendAgain, type Outgoing } from "../app/outbox";
import { Replay } from "../app/replay";
import { may } from "../app/rights";
import { route } from "../app/router";
import { sessionSignal } from "../app/store";
import { SessionView } from "../app/session_view";
import type { Session } from "@oriel/client";
import type { ReadonlySignal } from "@preact/signals";
import type { Conversation } from "../model/conversation";
import type { Item } from "../model/items";
import { addressOf } from "../model/route";
import { rowsOf, type Row } from "../model/rows";
import { plural } from "../text/format";
import { visible, visibleLine } from "../text/visible";
import { Icon } from "../ui/icons";
import { VirtualList, type ListHandle } from "../ui/virtual_list";
import { useAnswerKeys } from "./answer_keys";
import { AskPanel } from "./ask_panel";
import { ChangesView, SessionTabs } from "./changes";
import { Composer } from "./composer";
import { ItemView } from "./item_view";
import { ReplayBar } from "./replay_bar";
import { NowLine } from "./session_card";
import { SessionHead } from "./session_head";
import { TimelineStrip } from "./timeline_strip";

export function SessionPage({ id }: { id: string }) {
  const view = useMemo(() => new SessionView(id), [id]);
  useEffect(() => () => view.close(), [view]);
  const session = sessionSignal(id).value;
  const loading = view.loading.value;
  const [replay, setReplay] = useState<Replay | undefined>();
  useEffect(() => () => replay?.close(), [replay]);
  const list = useRef<ListHandle | undefined>(undefined);
  if (loading.phase === "failed" && loading.isNotFound) {
    return <div class="page"><div class="empty"><p class="empty-title">Session not found</p><p>{loading.problem}</p><p><a href={addressOf("overview")}>All agents</a></p></div></div>;
  }
  const isChanges = !replay && route.value.query.get("view") === "changes";
  const shown = replay?.playback.value ? replay : undefined; // once its journal is read
  return (
    <Clock.Provider value={shown ? shown.moment : now}>
      <div class="session">
        <SessionHead id={id} session={session} view={view} replay={shown} isReplaying={!!replay} onReplay={() => setReplay(replay ? undefined : new Replay(view))} />
        {!replay && <SessionTabs id={id} session={session} />}
        {isChanges && <ChangesView key={id} id={id} session={session} />}
        {!isChanges && <TimelineStrip view={view} replay={shown} onPick={(key) => list.current?.toKey(key)} />}
        {loading.phase === "failed" && <p class="banner banner-warn" role="alert">Loading events failed: {loading.problem}. Retrying.</p>}
        {isChanges ? null : shown
          ? <ConversationView key="replay" view={view} version={shown.version} conversationOf={() => shown.conversation} handle={list} isReplaying />
          : <ConversationView key="live" view={view} version={view.version} conversationOf={() => view.conversation} handle={list} isReplaying={false} />}
        {isChanges ? null : replay
          ? <ReplayBar replay={replay} onClose={() => setReplay(undefined)} />
          : (
            <div class="dock">
              {session && <Asks session={session} />}
              {session && session.permissions.length === 0 && session.status === "running" && <NowLine session={session} />}
              {session && <Composer session={session} items={() => view.conversation.items} />}
            </div>
          )}
      </div>
    </Clock.Provider>
  );
}

// Open questions; the keys answer the first one.
function Asks({ session: { session_id: id, permissions } }: { session: Session }) {
  const { keysOf, select } = useAnswerKeys(may("answer") ? permissions.map(({ permission_id }) => permission_id) : [], (key) => {
    document.querySelector(`[data-permission-id="${CSS.escape(key)}"]`)?.scrollIntoView({ block: "nearest" });
  });
  return <>{permissions.map((permission) => (
    <div key={permission.permission_id} onFocusIn={() => select(permission.permission_id)}>
      <AskPanel sessionId={id} permission={permission} keys={keysOf(permission.permission_id)} />
    </div>
  ))}</>;
}

function estimateHeight(row: Row): number {
  if ("part" in row) return row.part.lines * 21;
  const item = row;
  switch (item.kind) {
    case "message": return 52 + Math.min(40, Math.ceil(item.text.length / 90)) * 21;
    case "tool": return 32;
    case "ask": return 64;
    default: return 32;
  }
}

// A tool that failed, or that the address names.
function isOpenAtFirst(item: Item | undefined, linked: string): boolean {
  return item?.kind === "tool" && (item.status === "error" || item.key === linked);
}

// For screen readers: the last message of a completed task.
function lastMessage(conversation: Conversation): string {
  const last = conversation.items[conversation.items.length - 1];
  if (last?.kind !== "completion") return "";
  const message = conversation.items.slice(-6).reverse().find((item) => item.kind === "message");
  return message?.kind === "message" && message.role === "agent" ? visibleLine(message.text, 300) : last.status;
}

interface ConversationViewProps {
  view: SessionView;
  version: ReadonlySignal<number>;
  conversationOf: () => Conversation; // of that version
  handle: { current: ListHandle | undefined };
  isReplaying: boolean;
}

// Rendered at each change of the conversation; items render only when they change.
function ConversationView({ view, version: { value: version }, conversationOf, handle, isReplaying }: ConversationViewProps) {
  const conversation = conversationOf();
  const [expanded, setExpanded] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [seen, setSeen] = useState(-1); // the number of items when the user scrolled up; -1 at the end
  const loading = view.loading.value;
  const at = isReplaying ? "" : route.value.query.get("at") ?? "";
  const linked = at && (conversation.find(at)?.key ?? "");
  const isOpen = (item: Item): boolean => expanded.get(item.key) ?? isOpenAtFirst(item, linked);
  const toggle = useMemo(() => (key: string) => setExpanded((before) => {
    const item = conversation.get(key);
    return new Map(before).set(key, !(before.get(key) ?? isOpenAtFirst(item, linked)));
  }), [conversation, linked]);
  useEffect(() => {
    if (linked) handle.current?.toKey(linked);
  }, [linked]);
  const onAtEnd = useMemo(() => (isAtEnd: boolean) => setSeen(isAtEnd ? -1 : conversation.items.length), [conversation]);
  const below = seen < 0 ? 0 : Math.max(0, conversation.items.length - seen);
  return (
    <div class="conversation" data-version={version} data-events={conversation.count} data-complete={loading.phase === "complete" || undefined}>
      <p class="conversation-state" role="status">
        {loading.phase === "first" && "Loading"}
        {loading.phase === "older" && `Loading ${plural(loading.remaining, "older event")}`}
        {loading.phase === "complete" && loading.missing > 0 && `${plural(loading.missing, "event")} missing `}
        {loading.phase === "complete" && view.oldestStored > 0 && `${plural(view.oldestStored, "older event")} no longer stored`}
      </p>
      <VirtualList linked={linked} items={rowsOf(conversation.items)} version={conversation.version} estimate={estimateHeight} label="Conversation" isBusy={loading.phase !== "complete"}
        onAtEnd={onAtEnd} handle={handle}
        render={(row) => {
          const item = "part" in row ? row.item : row;
          return (
            <ItemView sessionId={view.id} item={item} part={"part" in row ? row.part : undefined} version={item.version} isOpen={isOpen(item)} onToggle={toggle}
              isShownAbove={item.kind === "completion" && (conversation.tasksWithText.has(item.taskId) || conversation.errors.has(item.detail))} />
          );
        }}
        tail={isReplaying ? undefined : () => <Outbox view={view} shown={shownRequests(view)} />} />
      <p class="sr-only" role="status" aria-live="polite">{lastMessage(conversation)}</p>
      {seen >= 0 && (
        <button type="button" class="to-end" onClick={() => handle.current?.toEnd()}>
          <Icon name="down" />{below > 0 ? `${below} new` : "Jump to latest"}
        </button>
      )}
    </div>
  );
}

// The sent messages whose event is in the conversation now.
function shownRequests(view: SessionView): ReadonlySet<string> {
  const { requests } = view.conversation;
  return new Set(outboxOf(view.id).peek().map(({ requestId }) => requestId).filter((id) => requests.has(id)));
}

// Sent messages that the conversation above does not show yet. `shown` belongs to the same rendering of the conversation, so that a
// message is never seen twice, nor missing.
function Outbox({ view, shown }: { view: SessionView; shown: ReadonlySet<string> }) {
  const outbox = outboxOf(view.id).value;
  useEffect(() => {
    for (const requestId of shown) drop(view.id, requestId);
  }, [shown]);
  const pending = outbox.filter(({ requestId }) => !shown.has(requestId));
  return <div class="outbox" aria-live="polite">{pending.map((message) => <Pending key={message.requestId} sessionId={view.id} message={message} />)}</div>;
}

function Pending({ sessionId, message }: { sessionId: string; message: Outgoing }) {
  const isSlow = message.status === "sending" && now.value - message.at > 3000;
  return (
    <div class="bubble" data-role="user" data-pending={message.status}>
      <p class="bubble-text" dir="auto">{visible(message.text)}</p>
      {message.files.length > 0 && <p class="dim">{message.files.map((file) => file.name).join(", ")}</p>}
      <p class="bubble-foot">
        {message.status === "sending" && <span class="dim">{isSlow ? "sending, no response yet" : "sending"}</span>}
        {message.status === "sent" && <span class="dim">sent</span>}
        {message.status === "failed" && (
          <span class="bad" role="alert">
            Not sent: {message.problem}{" "}
            <button type="button" class="link" onClick={() => sendAgain(sessionId, message)}>Retry</button>{" "}
            <button type="button" class="link" onClick={() => { restoreDraft(sessionId, message.text, message.files); drop(sessionId, message.requestId); }}>Edit</button>
          </span>
        )}
      </p>
    </div>
  );
}
