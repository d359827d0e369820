// The turns of a conversation. In a hosted session a turn belongs to an item that another event makes; of an observed agent the turn
// makes the item.
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

export class Turns {
  private readonly known = new Map<string, Known>();
  private readonly unboundTurns = new Map<string, Known[]>(); // turns without a message, by task
  private readonly unboundItems = new Map<string, Set<MessageItem>>(); // messages of the agent without a turn, by task

  constructor(private readonly conversation: Conversation) {}

  // Announces a message whose turn follows.
  expect(taskId: string, item: MessageItem): void {
    const items = this.unboundItems.get(taskId);
    if (items) items.add(item);
    else this.unboundItems.set(taskId, new Set([item]));
  }

  apply(event: NamedEvent, name: string): void {
    const data = event.data as Turn & { update_type?: string };
    const turn: Turn = { ...data, text: event.text };
    const known = this.known.get(turn.turn_id) ?? this.open(turn);
    if (name !== "turn_detected" && event.index > known.textIndex) {
      known.textIndex = event.index;
      known.turn = { ...known.turn, text: event.text };
    }
    if (event.index > known.index) {
      known.index = event.index;
      known.turn = { ...turn, text: known.turn.text };
      known.isWithdrawn = data.update_type === "withdrawn";
    }
    this.show(known);
  }

  add(turn: Turn): void {
    if (!this.known.has(turn.turn_id)) this.show(this.open(turn));
  }

  private open(turn: Turn): Known {
    const known: Known = { turn, index: -1, textIndex: -1, isWithdrawn: false, item: undefined };
    this.known.set(turn.turn_id, known);
    return known;
  }

  private show(known: Known): void {
    if (known.isWithdrawn) {
      if (known.item && isOwnItem(known)) this.conversation.remove(known.item);
      known.item = undefined;
      return;
    }
    const { turn } = known;
    const isNew = !known.item;
    known.item ??= this.find(turn);
    if (known.item) this.refresh(known, known.item);
    else if (turn.intent === "answer" && turn.data?.permission_id) return; // shown with its question
    else known.item = turn.intent === "question" ? this.conversation.put(askOf(turn)) : this.conversation.put(messageOf(turn));
    if (isNew && isUnbound(known)) {
      const list = this.unboundTurns.get(turn.task_id);
      if (list) list.push(known);
      else this.unboundTurns.set(turn.task_id, [known]);
    }
  }

  // Binds turns of a task to its items.
  bind(taskId: string): void {
    const unbound = this.unboundTurns.get(taskId);
    if (!unbound) return;
    this.unboundTurns.set(taskId, unbound.filter((known) => {
      if (!known.item || !isUnbound(known)) return false;
      const found = this.find(known.turn);
      if (!found || found === known.item) return true;
      if (isOwnItem(known)) this.conversation.remove(known.item);
      else if (known.item.kind === "completion") known.item.turnId = "";
      known.item = found;
      this.refresh(known, found);
      return isUnbound(known);
    }));
  }

  private find(turn: Turn): Item | undefined {
    if (turn.actor === "user") return this.conversation.get(turn.intent === "answer" ? `o/${turn.turn_id}` : `u/${turn.task_id}`);
    if (turn.intent === "question") {
      const permission = turn.data?.permission_id;
      return typeof permission === "string" ? this.conversation.get(`p/${permission}`) : undefined;
    }
    return this.findMessage(turn) ?? (turn.intent === "completion" ? this.conversation.get(`e/${turn.task_id}`) : undefined);
  }

  // Among messages with equal text a completion is the last, any other turn the first.
  private findMessage(turn: Turn): Item | undefined {
    let found: MessageItem | undefined;
    for (const item of this.unboundItems.get(turn.task_id) ?? []) {
      if (item.text !== turn.text) continue;
      if (!found || (turn.intent === "completion" ? item.index > found.index : item.index < found.index)) found = item;
    }
    return found;
  }

  private refresh(known: Known, item: Item): void {
    const { turn } = known;
    if (item.kind === "message") {
      if (item.turnId === "") this.unboundItems.get(turn.task_id)?.delete(item);
      item.turnId = turn.turn_id;
      item.timestamp = turn.timestamp;
      item.intent = turn.intent;
      item.source = turn.source;
      item.files = turn.files ?? [];
      if (isOwnItem(known)) item.text = turn.text;
    } else if (item.kind === "ask") {
      item.turnId = turn.turn_id;
      if (isOwnItem(known)) {
        item.status = String(turn.data?.status ?? "pending");
        item.timestamp = turn.timestamp;
      }
    }
    if (item.kind === "completion") item.turnId = turn.turn_id;
    this.conversation.move(item, isOwnItem(known) || isCorrected(turn, item) ? positionOfTurn(turn) : item.position);
  }
}

// Whether the turn itself made the item.
function isOwnItem(known: Known): boolean {
  return known.item?.index === -1;
}

function isUnbound(known: Known): boolean {
  return isOwnItem(known) || known.item?.kind === "completion";
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
    kind: "message", key: `o/${turn.turn_id}`, role: turn.actor, position: positionOfTurn(turn),
    version: 0, index: -1, text: turn.text, turnId: turn.turn_id, timestamp: turn.timestamp, intent: turn.intent, source: turn.source,
    files: turn.files ?? [], isStreaming: false, isQueued: false,
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
