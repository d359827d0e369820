// One session: the conversation as it grows, what it asks, and a box to answer.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { now } from "../app/clock";
import { drop, sendAgain, sendsOf, type Send } from "../app/sends";
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
import { Composer, putBack } from "./composer";
import { ItemView } from "./item_view";
import { ReplayBar } from "./replay_bar";
import { NowLine } from "./session_card";
import { SessionHead } from "./session_head";
import { TimelineStrip } from "./timeline_strip";

export function SessionPage({ id }: { id: string }) {
  const view = useMemo(() => new SessionView(id), [id]);
  useEffect(() => () => view.close(), [view]);
  const session = sessionSignal(id).value;
  const filling = view.filling.value;
  const [replayed, setReplayed] = useState<Conversation | undefined>();
  const [isReplaying, setReplaying] = useState(false);
  const list = useRef<ListHandle | undefined>(undefined);
  if (filling.phase === "failed" && filling.isGone) {
    return <div class="page"><div class="empty"><p class="empty-title">There is no such session</p><p>{filling.problem}</p><p><a href={addressOf("overview")}>All agents</a></p></div></div>;
  }
  const conversation = isReplaying && replayed ? replayed : view.conversation;
  return (
    <div class="session">
      <SessionHead id={id} session={session} view={view} isReplaying={isReplaying} onReplay={() => setReplaying(!isReplaying)} />
      <TimelineStrip view={view} onPick={(key) => list.current?.toKey(key)} />
      {filling.phase === "failed" && <p class="banner banner-warn" role="alert">Its events could not be had: {filling.problem}. Trying again.</p>}
      <Talk view={view} conversation={conversation} handle={list} isReplaying={isReplaying} />
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

function guess(item: Item): number {
  switch (item.kind) {
    case "said": return 52 + Math.min(40, Math.ceil(item.text.length / 90)) * 21;
    case "tool": return 38;
    case "ask": return 64;
    default: return 32;
  }
}

// For screen readers: what the agent has said, once it has said it.
function lastWords(conversation: Conversation): string {
  const last = conversation.items[conversation.items.length - 1];
  if (last?.kind !== "end") return "";
  const said = conversation.items.slice(-6).reverse().find((item) => item.kind === "said");
  return said?.kind === "said" && said.role === "agent" ? visibleLine(said.text, 300) : last.status;
}

interface TalkProps {
  view: SessionView;
  conversation: Conversation;
  handle: { current: ListHandle | undefined };
  isReplaying: boolean;
}

// Drawn again at each change of the conversation; its pieces only when they have changed themselves.
function Talk({ view, conversation, handle, isReplaying }: TalkProps) {
  const version = view.version.value;
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [seen, setSeen] = useState(-1); // how much there was when the end went out of sight; -1: it is in sight
  const filling = view.filling.value;
  const isOpen = (item: Item): boolean => opened.get(item.key) ?? (item.kind === "tool" && item.status === "error");
  const toggle = useMemo(() => (key: string) => setOpened((before) => {
    const item = conversation.get(key);
    return new Map(before).set(key, !(before.get(key) ?? (item?.kind === "tool" && item.status === "error")));
  }), [conversation]);
  const onAtEnd = useMemo(() => (isAtEnd: boolean) => setSeen(isAtEnd ? -1 : conversation.items.length), [conversation]);
  const below = seen < 0 ? 0 : Math.max(0, conversation.items.length - seen);
  return (
    <div class="talk" data-version={version} data-events={conversation.count} data-whole={filling.phase === "whole" || undefined}>
      <p class="talk-state" role="status">
        {filling.phase === "first" && "Loading"}
        {filling.phase === "older" && `${plural(filling.left, "older event")} to come`}
        {filling.phase === "whole" && filling.missing > 0 && `${plural(filling.missing, "event")} could not be had `}
        {filling.phase === "whole" && view.oldestHeld > 0 && `${plural(view.oldestHeld, "older event")} no longer kept`}
      </p>
      <VirtualList items={conversation.items} version={conversation.version} guess={guess} label="Conversation" isBusy={filling.phase !== "whole"}
        onAtEnd={onAtEnd} handle={handle}
        render={(item) => (
          <ItemView sessionId={view.id} item={item} version={item.version} isOpen={isOpen(item)} onToggle={toggle}
            isSaidElsewhere={item.kind === "end" && (conversation.spokenTurns.has(item.sessionTurn) || conversation.errors.has(item.detail))} />
        )}
        tail={isReplaying ? undefined : <Sends view={view} />} />
      <p class="sr-only" role="status" aria-live="polite">{lastWords(conversation)}</p>
      {seen >= 0 && (
        <button type="button" class="to-end" onClick={() => handle.current?.toEnd()}>
          <Icon name="down" />{below > 0 ? `${plural(below, "new", "new")} below` : "To the end"}
        </button>
      )}
    </div>
  );
}

// What was sent and has not come back as an event yet.
function Sends({ view }: { view: SessionView }) {
  const sends = sendsOf(view.id).value;
  const { requests } = view.conversation;
  const drawn = useMemo(() => new Set(sends.map((send) => send.requestId).filter((id) => requests.has(id))), [view.version.value]); // and not only heard
  useEffect(() => {
    for (const send of sendsOf(view.id).peek()) if (drawn.has(send.requestId)) drop(view.id, send.requestId);
  });
  return <div class="sends" aria-live="polite">{sends.filter((send) => !drawn.has(send.requestId)).map((send) => <Pending key={send.requestId} sessionId={view.id} send={send} />)}</div>;
}

function Pending({ sessionId, send }: { sessionId: string; send: Send }) {
  const isSlow = send.status === "sending" && now.value - send.at > 3000;
  return (
    <div class="bubble" data-role="user" data-pending={send.status}>
      <p class="said-text" dir="auto">{visible(send.text)}</p>
      {send.files.length > 0 && <p class="dim">{send.files.map((file) => file.name).join(", ")}</p>}
      <p class="bubble-foot">
        {send.status === "sending" && <span class="dim">{isSlow ? "sending, the server has not answered yet" : "sending"}</span>}
        {send.status === "sent" && <span class="dim">sent</span>}
        {send.status === "failed" && (
          <span class="bad" role="alert">
            Not sent: {send.problem}{" "}
            <button type="button" class="link" onClick={() => sendAgain(sessionId, send)}>Try again</button>{" "}
            <button type="button" class="link" onClick={() => { putBack(sessionId, send.text, send.files); drop(sessionId, send.requestId); }}>Edit</button>
          </span>
        )}
      </p>
    </div>
  );
}
