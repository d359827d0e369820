// The turns of a conversation. In a hosted session a turn belongs to an item that another event makes: a message, a permission
// request or a completion. Of an observed agent the turn itself makes the item.
import type { Permission, Turn } from "@oriel/client";
import type { Conversation } from "./conversation";
import type { NamedEvent } from "./event_name";
import type { AskItem, Item, MessageItem } from "./items";
import { positionOfCursor, timeOf, type Position } from "./position";

interface Known {
  turn: Turn;
  index: number; // of the newest event about it; -1 from REST
  textIndex: number; // of the newest event with its text
  isWithdrawn: boolean;
  item: Item | undefined;
}

export const messageKey = (index: number): string => `m/${index}`;

// The key under which the item of a turn is bound; empty if the turn makes its own item.
function targetOf(turn: Turn): string {
  if (turn.message_index !== undefined) return messageKey(turn.message_index);
  if (turn.intent === "question") return turn.data?.permission_id ? `p/${turn.data.permission_id}` : "";
  return turn.intent === "completion" ? `e/${turn.task_id}` : "";
}

export class Turns {
  private readonly known = new Map<string, Known>(); // by turn id
  private readonly items = new Map<string, Item>(); // by target
  private readonly unbound = new Map<string, Known>(); // by target

  constructor(private readonly conversation: Conversation) {}

  apply(event: NamedEvent, name: string): void {
    const data = event.data as Turn & { update_type?: string };
    const known = this.known.get(data.turn_id) ?? this.open({ ...data, text: event.text });
    if (name !== "turn_detected" && event.index > known.textIndex) {
      known.textIndex = event.index;
      known.turn = { ...known.turn, text: event.text };
    }
    if (event.index > known.index) {
      known.index = event.index;
      known.turn = { ...data, text: known.turn.text, message_index: data.message_index ?? known.turn.message_index };
      known.isWithdrawn = data.update_type === "withdrawn";
    } else if (data.message_index !== undefined) {
      known.turn = { ...known.turn, message_index: data.message_index };
    }
    this.show(known);
  }

  add(turn: Turn): void {
    if (!this.known.has(turn.turn_id)) this.show(this.open(turn));
  }

  // Announces the item of a target.
  bind(target: string, item: Item): void {
    this.items.set(target, item);
    const known = this.unbound.get(target);
    if (known) this.show(known);
  }

  private open(turn: Turn): Known {
    const known: Known = { turn, index: -1, textIndex: -1, isWithdrawn: false, item: undefined };
    this.known.set(turn.turn_id, known);
    return known;
  }

  private show(known: Known): void {
    const { turn } = known;
    const target = targetOf(turn);
    const item = known.isWithdrawn ? undefined : this.items.get(target);
    if (known.item && isOwnItem(known) && (item || known.isWithdrawn)) this.conversation.remove(known.item);
    if (known.item?.kind === "completion" && known.item !== item) known.item.turnId = "";
    if (known.isWithdrawn) known.item = undefined;
    else if (item) known.item = item;
    else if (!known.item && !(turn.intent === "answer" && turn.data?.permission_id)) { // an answer is shown with its question
      known.item = this.conversation.put(turn.intent === "question" ? askOf(turn) : messageOf(turn));
    }
    if (item) this.unbound.delete(target);
    else if (target) this.unbound.set(target, known);
    if (known.item) this.refresh(known, known.item);
  }

  private refresh(known: Known, item: Item): void {
    const { turn } = known;
    if (item.kind === "message") {
      item.turnId = turn.turn_id;
      item.timestamp = turn.timestamp;
      item.intent = turn.intent;
      item.source = turn.source;
      item.files = turn.files ?? [];
      if (isOwnItem(known)) {
        item.text = turn.text;
        item.endedAt = timeOf(turn.timestamp);
      }
    } else if (item.kind === "ask") {
      item.turnId = turn.turn_id;
      if (isOwnItem(known)) {
        item.status = String(turn.data?.status ?? "pending");
        item.timestamp = turn.timestamp;
      }
    } else if (item.kind === "completion") {
      item.turnId = turn.turn_id;
    }
    this.conversation.move(item, isOwnItem(known) || isCorrected(turn, item) ? positionOfTurn(turn) : item.position);
  }
}

// Whether the turn itself made the item.
function isOwnItem(known: Known): boolean {
  return known.item?.index === -1;
}

// A time from the server's clock keeps the position of the event.
function isCorrected(turn: Turn, item: Item): boolean {
  return turn.timestamp_source !== "server" && timeOf(turn.timestamp) !== item.position.time;
}

function positionOfTurn(turn: Turn): Position {
  return positionOfCursor(turn.cursor) ?? { time: timeOf(turn.timestamp), ordinal: turn.ordinal ?? 0 };
}

function messageOf(turn: Turn): MessageItem {
  return {
    kind: "message", key: `o/${turn.turn_id}`, role: turn.actor, position: positionOfTurn(turn), version: 0, index: -1, text: turn.text,
    turnId: turn.turn_id, timestamp: turn.timestamp, intent: turn.intent, source: turn.source, files: turn.files ?? [], isStreaming: false,
    endedAt: timeOf(turn.timestamp), isQueued: false,
  };
}

function askOf(turn: Turn): AskItem {
  const data = (turn.data ?? {}) as Partial<Permission> & { status?: string };
  return {
    kind: "ask", key: `q/${turn.turn_id}`, position: positionOfTurn(turn), version: 0, index: -1, status: data.status ?? "pending", by: "", answer: "",
    isElsewhere: true, turnId: turn.turn_id, timestamp: turn.timestamp, resolvedAt: 0,
    permission: {
      permission_id: data.permission_id ?? "", tool_call_id: data.tool_call_id ?? "", title: turn.text, input: data.input ?? null,
      options: data.options ?? [], questions: data.questions ?? [], asked_at: turn.timestamp, expires_at: "",
    },
  };
}
