// One session: its conversation, permission requests and message field.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { now } from "../app/clock";
import { drop, outboxOf, sendAgain, type Outgoing } from "../app/outbox";
import { sessionSignal } from "../app/store";
import { SessionView } from "../app/session_view";
import type { Conversation } from "../model/conversation";
import type { Item } from "../model/items";
import { addressOf } from "../model/route";
import { plural } from "../text/format";
import { visible, visibleLine } from "../text/visible";
import { Icon } from "../ui/icons";
import { VirtualList, type ListHandle } from "../ui/virtual_list";
import { AskPanel } from "./ask_panel";
import { Composer, restoreDraft } from "./composer";
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
  const [replayed, setReplayed] = useState<Conversation | undefined>();
  const [isReplaying, setReplaying] = useState(false);
  const list = useRef<ListHandle | undefined>(undefined);
  if (loading.phase === "failed" && loading.isNotFound) {
    return <div class="page"><div class="empty"><p class="empty-title">Session not found</p><p>{loading.problem}</p><p><a href={addressOf("overview")}>All agents</a></p></div></div>;
  }
  const conversation = isReplaying && replayed ? replayed : view.conversation;
  return (
    <div class="session">
      <SessionHead id={id} session={session} view={view} isReplaying={isReplaying} onReplay={() => setReplaying(!isReplaying)} />
      <TimelineStrip view={view} onPick={(key) => list.current?.toKey(key)} />
      {loading.phase === "failed" && <p class="banner banner-warn" role="alert">Loading events failed: {loading.problem}. Retrying.</p>}
      <ConversationView view={view} conversation={conversation} handle={list} isReplaying={isReplaying} />
      {isReplaying
        ? <ReplayBar view={view} onChange={setReplayed} onClose={() => { setReplaying(false); setReplayed(undefined); }} />
        : (
          <div class="dock">
            {session && session.permissions.map((permission) => <AskPanel key={permission.permission_id} sessionId={id} permission={permission} hasKeys={false} />)}
            {session && session.permissions.length === 0 && session.status === "running" && <NowLine session={session} />}
            {session && <Composer session={session} />}
          </div>
        )}
    </div>
  );
}

function estimateHeight(item: Item): number {
  switch (item.kind) {
    case "message": return 52 + Math.min(40, Math.ceil(item.text.length / 90)) * 21;
    case "tool": return 38;
    case "ask": return 64;
    default: return 32;
  }
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
  conversation: Conversation;
  handle: { current: ListHandle | undefined };
  isReplaying: boolean;
}

// Rendered at each change of the conversation; items render only when they change.
function ConversationView({ view, conversation, handle, isReplaying }: ConversationViewProps) {
  const version = view.version.value;
  const [expanded, setExpanded] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [seen, setSeen] = useState(-1); // the number of items when the user scrolled up; -1 at the end
  const loading = view.loading.value;
  const isOpen = (item: Item): boolean => expanded.get(item.key) ?? (item.kind === "tool" && item.status === "error");
  const toggle = useMemo(() => (key: string) => setExpanded((before) => {
    const item = conversation.get(key);
    return new Map(before).set(key, !(before.get(key) ?? (item?.kind === "tool" && item.status === "error")));
  }), [conversation]);
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
      <VirtualList items={conversation.items} version={conversation.version} estimate={estimateHeight} label="Conversation" isBusy={loading.phase !== "complete"}
        onAtEnd={onAtEnd} handle={handle}
        render={(item) => (
          <ItemView sessionId={view.id} item={item} version={item.version} isOpen={isOpen(item)} onToggle={toggle}
            isShownAbove={item.kind === "completion" && (conversation.tasksWithText.has(item.taskId) || conversation.errors.has(item.detail))} />
        )}
        tail={isReplaying ? undefined : <Outbox view={view} />} />
      <p class="sr-only" role="status" aria-live="polite">{lastMessage(conversation)}</p>
      {seen >= 0 && (
        <button type="button" class="to-end" onClick={() => handle.current?.toEnd()}>
          <Icon name="down" />{below > 0 ? `${below} new` : "Jump to latest"}
        </button>
      )}
    </div>
  );
}

// Sent messages whose event has not been rendered yet.
function Outbox({ view }: { view: SessionView }) {
  const outbox = outboxOf(view.id).value;
  const { requests } = view.conversation;
  const rendered = useMemo(() => new Set(outbox.map(({ requestId }) => requestId).filter((id) => requests.has(id))), [view.version.value]);
  useEffect(() => {
    for (const { requestId } of outboxOf(view.id).peek()) if (rendered.has(requestId)) drop(view.id, requestId);
  });
  const pending = outbox.filter(({ requestId }) => !rendered.has(requestId));
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
