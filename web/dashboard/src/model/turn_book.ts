// A conversation's turns. Of a session that Oriel runs they are told beside the events that made them, and are bound to what
// those show already; of an agent that somebody else runs they are all that is told, and are shown themselves.
import type { OrielEvent } from "@oriel/client";
import type { Conversation } from "./conversation";
import type { AskItem, Item, SaidItem } from "./items";
import { placeOfCursor, timeOf, type Place } from "./place";
import type { Permission, Turn } from "./types";

interface Known {
  turn: Turn;
  at: number; // index of the event that told it; -1: REST did
  textAt: number; // the same of its text: that it was detected is told without one
  isWithdrawn: boolean;
  item: Item | undefined; // that shows it
}

const sessionTurnOf = (taskId: string): string => (taskId.startsWith("task_") ? `turn_${taskId.slice(5)}` : "");

export class TurnBook {
  private readonly known = new Map<string, Known>();
  private readonly bySessionTurn = new Map<string, Known[]>(); // of the agent's words, those not bound yet

  private readonly unbound = new Map<string, Set<SaidItem>>(); // messages whose turn is not told yet, by the session's turn

  constructor(private readonly conversation: Conversation) {}

  // The agent has begun to say something.
  await(sessionTurn: string, said: SaidItem): void {
    const held = this.unbound.get(sessionTurn);
    if (held) held.add(said);
    else this.unbound.set(sessionTurn, new Set([said]));
  }

  hear(event: OrielEvent, name: string): void {
    const data = event.data as Turn & { update_type?: string };
    const turn: Turn = { ...data, turn_id: data.turn_id || event.turn_id || "", text: event.text };
    const known = this.known.get(turn.turn_id) ?? this.open(turn);
    if (name !== "turn_detected" && event.index > known.textAt) {
      known.textAt = event.index;
      known.turn = { ...known.turn, text: event.text };
    }
    if (event.index > known.at) {
      known.at = event.index;
      known.turn = { ...turn, text: known.turn.text };
      known.isWithdrawn = data.update_type === "withdrawn";
    }
    this.show(known);
  }

  know(turn: Turn): void {
    if (!this.known.has(turn.turn_id)) this.show(this.open(turn));
  }

  private open(turn: Turn): Known {
    const known: Known = { turn, at: -1, textAt: -1, isWithdrawn: false, item: undefined };
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
    else if (turn.intent === "answer" && turn.data?.permission_id) return; // its question shows it
    else known.item = turn.intent === "question" ? this.conversation.put(askOf(turn)) : this.conversation.put(saidOf(turn));
    const sessionTurn = sessionTurnOf(turn.task_id);
    if (isNew && isLoose(known) && turn.actor === "agent" && sessionTurn) {
      const list = this.bySessionTurn.get(sessionTurn);
      if (list) list.push(known);
      else this.bySessionTurn.set(sessionTurn, [known]);
    }
  }

  // Of the session's turn something new is shown: what stood for itself may be the same.
  bind(sessionTurn: string): void {
    const loose = this.bySessionTurn.get(sessionTurn);
    if (!loose) return;
    this.bySessionTurn.set(sessionTurn, loose.filter((known) => {
      if (!known.item || !isLoose(known)) return false;
      const found = this.find(known.turn);
      if (!found || found === known.item) return true;
      if (isOwnItem(known)) this.conversation.remove(known.item);
      else if (known.item.kind === "end") known.item.turnId = "";
      known.item = found;
      this.refresh(known, found);
      return isLoose(known);
    }));
  }

  // Its event came after it.
  place(turnId: string): void {
    const known = this.known.get(turnId);
    if (known?.item) this.refresh(known, known.item);
  }

  private find(turn: Turn): Item | undefined {
    if (turn.actor === "user") return this.conversation.get(turn.intent === "answer" ? `o/${turn.turn_id}` : `u/${turn.turn_id}`);
    if (turn.intent === "question") {
      const permission = turn.data?.permission_id;
      return typeof permission === "string" ? this.conversation.get(`p/${permission}`) : undefined;
    }
    const sessionTurn = sessionTurnOf(turn.task_id);
    if (!sessionTurn) return undefined;
    const said = this.findSaid(turn, sessionTurn);
    return said ?? (turn.intent === "completion" ? this.conversation.get(`e/${sessionTurn}`) : undefined);
  }

  // Of equal words a completion is the last, everything else the first.
  private findSaid(turn: Turn, sessionTurn: string): Item | undefined {
    let found: SaidItem | undefined;
    for (const said of this.unbound.get(sessionTurn) ?? []) {
      if (said.text !== turn.text) continue;
      if (!found || (turn.intent === "completion" ? said.index > found.index : said.index < found.index)) found = said;
    }
    return found;
  }

  private refresh(known: Known, item: Item): void {
    const { turn } = known;
    if (item.kind === "said") {
      if (item.turnId === "") this.unbound.get(sessionTurnOf(turn.task_id))?.delete(item);
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
    if (item.kind === "end") item.turnId = turn.turn_id;
    const place = isOwnItem(known) || isCorrected(turn, item) ? placeOfTurn(turn) : item.place;
    this.conversation.move(item, place);
  }
}

// Whether nothing but the turn has made it.
function isOwnItem(known: Known): boolean {
  return known.item?.index === -1;
}

// Words that were found nowhere else yet.
function isLoose(known: Known): boolean {
  return isOwnItem(known) || known.item?.kind === "end";
}

// What Oriel's own clock told stands where its events stand.
function isCorrected(turn: Turn, item: Item): boolean {
  return turn.timestamp_source !== "server" && timeOf(turn.timestamp) !== item.place.time;
}

function placeOfTurn(turn: Turn): Place {
  return placeOfCursor(turn.cursor) ?? { time: timeOf(turn.timestamp), ordinal: turn.ordinal ?? 0 };
}

function saidOf(turn: Turn): SaidItem {
  const isUser = turn.actor === "user";
  return {
    kind: "said", key: `${isUser && turn.intent !== "answer" ? "u" : "o"}/${turn.turn_id}`, role: isUser ? "user" : "agent", place: placeOfTurn(turn),
    version: 0, index: -1, text: turn.text, turnId: turn.turn_id, timestamp: turn.timestamp, intent: turn.intent, source: turn.source,
    files: turn.files ?? [], isGrowing: false, isQueued: false,
  };
}

function askOf(turn: Turn): AskItem {
  const data = (turn.data ?? {}) as Partial<Permission> & { status?: string };
  return {
    kind: "ask", key: `q/${turn.turn_id}`, place: placeOfTurn(turn), version: 0, index: -1, status: data.status ?? "pending", by: "", answer: "",
    isElsewhere: true, turnId: turn.turn_id, timestamp: turn.timestamp, resolvedAt: 0,
    permission: {
      permission_id: data.permission_id ?? "", tool_call_id: data.tool_call_id ?? "", title: turn.text, input: data.input ?? null,
      options: data.options ?? [], questions: data.questions ?? [], asked_at: turn.timestamp, expires_at: "",
    },
  };
}
