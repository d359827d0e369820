// One item of a conversation, rendered again only when its version changes.
import { Component, type ComponentChildren } from "preact";
import { api } from "../app/store";
import type { AskItem, CompletionItem, Item, NoticeItem, MessageItem, ThoughtItem } from "../model/items";
import { addressOf } from "../model/route";
import { isLast, type Part } from "../model/rows";
import { timeOf } from "../model/position";
import type { TurnFile } from "@oriel/client";
import { tokensOf } from "../model/usage";
import { bytes, clock, count, dayAndClock, duration, money } from "../text/format";
import { visible, visibleLine } from "../text/visible";
import { CopyButton } from "../ui/copy_button";
import { Icon } from "../ui/icons";
import { MarkdownView } from "../ui/markdown_view";
import { Tool } from "./tool_view";

interface Props {
  sessionId: string;
  item: Item;
  version: number;
  isOpen: boolean;
  part: Part | undefined; // of a long message
  isShownAbove: boolean; // of a completion: an earlier item shows its text or error
  onToggle: (key: string) => void;
}

export class ItemView extends Component<Props> {
  override shouldComponentUpdate(next: Props): boolean {
    const { item, version, isOpen, part, isShownAbove } = this.props;
    if (part && next.part && part.index > 0 && !isLast(next.part) && !isLast(part)) return next.part.text !== part.text;
    // The version may be ahead of the part, which is cut only when the conversation is drawn.
    const isOtherPart = next.part?.text !== part?.text || next.part?.count !== part?.count;
    return isOtherPart || next.item !== item || next.version !== version || next.isOpen !== isOpen || next.isShownAbove !== isShownAbove;
  }

  override render({ sessionId, item, isOpen, part, isShownAbove, onToggle }: Props): ComponentChildren {
    switch (item.kind) {
      case "message": return <Message sessionId={sessionId} item={item} part={part ?? { index: 0, count: 1, text: item.text }} />;
      case "thought": return <Thought item={item} isOpen={isOpen} onToggle={onToggle} />;
      case "tool": return <Tool sessionId={sessionId} item={item} isOpen={isOpen} onToggle={onToggle} />;
      case "ask": return <Ask item={item} />;
      case "completion": return <Completion item={item} isShownAbove={isShownAbove} />;
      case "notice": return <Notice item={item} />;
    }
  }
}

function Time({ timestamp }: { timestamp: string }) {
  const time = timeOf(timestamp);
  return time ? <time class="stamp" dateTime={timestamp} title={dayAndClock(time)}>{clock(time)}</time> : null;
}

function Message({ sessionId, item, part }: { sessionId: string; item: MessageItem; part: Pick<Part, "index" | "count" | "text"> }) {
  const isFirst = part.index === 0;
  return (
    <div class="bubble" data-role={item.role} data-turn-id={(isFirst && item.turnId) || undefined} data-timestamp={(isFirst && item.timestamp) || undefined}
      data-streaming={(item.isStreaming && isLast(part)) || undefined} data-part={part.count > 1 ? part.index : undefined} data-continues={!isLast(part) || undefined}>
      {item.role === "user" ? <p class="bubble-text" dir="auto">{visible(part.text)}</p> : <MarkdownView text={part.text} />}
      {isLast(part) && item.files.length > 0 && (
        <ul class="files">{item.files.map((file) => <FileLink key={file.file_id} sessionId={sessionId} file={file} />)}</ul>
      )}
      {isLast(part) && (
        <p class="bubble-foot">
          {item.role === "user" && item.source !== "message" && item.source !== "" && <span class="dim">{item.source}</span>}
          {item.isQueued && <span class="tag">queued</span>}
          <CopyButton text={() => visible(item.text)} label="Copy message" />
          <CopyButton text={() => linkOf(sessionId, item.key)} label="Copy link" icon="link" />
          <Time timestamp={item.timestamp} />
        </p>
      )}
    </div>
  );
}

// An address that opens the session at this message.
function linkOf(sessionId: string, key: string): string {
  return new URL(addressOf("session", { sessionId, query: new URLSearchParams({ at: key }) }), location.href).href;
}

const kPictures: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"]; // that the server serves as such
const kMaxPicture = 10 << 20; // bytes

function FileLink({ sessionId, file }: { sessionId: string; file: TurnFile }) {
  const url = api.fileUrl(sessionId, file.file_id);
  const isPicture = kPictures.includes(file.type) && file.size <= kMaxPicture;
  return (
    <li>
      {isPicture ? <a href={url} download={file.name} class="picture" tabIndex={-1} aria-hidden="true"><img src={url} alt="" loading="lazy" /></a> : <Icon name="file" />}
      <a href={url} download={file.name}>{visibleLine(file.name, 80)}</a>
      <span class="dim">{bytes(file.size)}</span>
    </li>
  );
}

interface Expandable {
  isOpen: boolean;
  onToggle: (key: string) => void;
}

function Thought({ item, isOpen, onToggle }: Expandable & { item: ThoughtItem }) {
  return (
    <div class="thought">
      <button type="button" class="thought-head" aria-expanded={isOpen} onClick={() => onToggle(item.key)}>
        <span class="thought-label">thought</span> {!isOpen && <span class="thought-summary">{visibleLine(item.text, 140)}</span>}
      </button>
      {isOpen && <div class="thought-text"><MarkdownView text={item.text} /></div>}
    </div>
  );
}

const kAskLabels: Record<string, string> = {
  pending: "waiting for an answer", allowed: "allowed", denied: "denied", answered: "answered", expired: "expired",
  withdrawn: "withdrawn", dismissed: "dismissed",
};

function Ask({ item }: { item: AskItem }) {
  return (
    <div class="ask-item" data-status={item.status} data-elsewhere={item.isElsewhere || undefined} data-turn-id={item.turnId || undefined} data-timestamp={item.timestamp || undefined}>
      <Icon name="needs" />
      <div>
        <p dir="auto">{visible(item.permission.title.slice(0, 4000))}</p>
        <p class="dim">
          {kAskLabels[item.status] ?? visible(item.status)}{item.answer && `: ${visibleLine(item.answer, 120)}`}{item.by && ` by ${visibleLine(item.by, 40)}`}
          {item.isElsewhere && item.status === "pending" && ", in its terminal"}
        </p>
      </div>
    </div>
  );
}

function Completion({ item, isShownAbove }: { item: CompletionItem; isShownAbove: boolean }) {
  const { spent } = item;
  return (
    <div class="completion" data-status={item.status} data-turn-id={item.turnId || undefined} data-timestamp={item.timestamp || undefined}>
      {!isShownAbove && item.text && <div class="bubble" data-role="agent"><MarkdownView text={item.text} /></div>}
      <p class="completion-line">
        <span class="completion-status">{item.status === "completed" ? "done" : item.status === "cancelled" ? "interrupted" : "failed"}</span>
        {item.durationMs >= 0 && <span>{duration(item.durationMs)}</span>}
        {spent.isKnown && tokensOf(spent) > 0 && <span title={`${spent.input} in, ${spent.output} out, ${spent.cacheRead} cached`}>{count(tokensOf(spent))} tokens</span>}
        {spent.cost > 0 && <span>{money(spent.cost)}</span>}
        {!isShownAbove && item.detail && <span class="bad" dir="auto">{visibleLine(item.detail, 400)}</span>}
      </p>
    </div>
  );
}

function Notice({ item }: { item: NoticeItem }) {
  return <p class="notice" data-tone={item.tone} dir="auto">{visible(item.text.slice(0, 4000))} <Time timestamp={item.timestamp} /></p>;
}
