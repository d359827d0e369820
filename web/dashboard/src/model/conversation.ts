// One session's events as a conversation in order. Events may be taken in any order and more than once (the newest page
// first, then older ones, and the stream between them): the same events make the same conversation.
import type { OrielEvent } from "@oriel/client";
import { nameOf } from "./event_name";
import { GrowingText } from "./growing_text";
import { IndexSet } from "./index_set";
import type { AskItem, EndItem, Item, NoticeItem, SaidItem, ThoughtItem, ToolItem } from "./items";
import { indexOfItem, insertInPlace, moveInPlace, timeOf, type Place } from "./place";
import { TurnBook } from "./turn_book";
import type { Permission, Turn } from "./types";
import { spentOf } from "./usage";

export class Conversation {
  readonly items: Item[] = [];
  version = 0;
  readonly startedTurns = new Set<string>(); // of the session's turns, those at work or done
  readonly spokenTurns = new Set<string>(); // those in which the agent has said something
  readonly errors = new Set<string>(); // what went wrong is told once
  readonly requests = new Set<string>(); // ids that clients gave to what they sent
  firstIndex = Infinity;
  lastIndex = -1;

  private readonly seen = new IndexSet();
  private readonly byKey = new Map<string, Item>();
  private readonly growing = new Map<string, GrowingText>();
  private readonly thoughtsByEnd = new Map<number, ThoughtItem>();
  private readonly thoughtsByStart = new Map<number, ThoughtItem>();
  private readonly turns = new TurnBook(this);
  private growingKey = "";

  // How many of its events have been taken.
  get count(): number {
    return this.seen.count;
  }

  has(index: number): boolean {
    return this.seen.has(index);
  }

  addAll(events: readonly OrielEvent[]): void {
    for (const event of events) this.add(event);
  }

  add(event: OrielEvent): void {
    if (event.index < 0 || !this.seen.add(event.index)) return;
    this.version += 1;
    const isNewest = event.index > this.lastIndex;
    this.firstIndex = Math.min(this.firstIndex, event.index);
    this.lastIndex = Math.max(this.lastIndex, event.index);
    const name = nameOf(event);
    if (isNewest && event.type !== "delta" && event.type !== "message" && event.type !== "system") this.stopGrowing();
    switch (name) {
      case "turn_created": case "turn_updated": case "turn_detected": return this.turns.hear(event, name);
      case "permission_requested": case "permission_resolved": return this.onPermission(event);
      case "session_created": case "session_ended": case "session_resumed": case "agent_silence":
        return this.notice(event, event.text || name, "quiet");
      case "state_transition": return;
      default: return this.onOwn(event, isNewest);
    }
  }

  // What REST tells of turns: for those whose events are not told, or no longer held.
  addTurns(turns: readonly Turn[]): void {
    for (const turn of turns) this.turns.know(turn);
    this.version += 1;
  }

  get(key: string): Item | undefined {
    return this.byKey.get(key);
  }

  put<T extends Item>(item: T): T {
    this.byKey.set(item.key, item);
    insertInPlace(this.items, item);
    return item;
  }

  remove(item: Item): void {
    this.byKey.delete(item.key);
    const at = indexOfItem(this.items, item);
    if (at >= 0) this.items.splice(at, 1);
  }

  move(item: Item, place: Place): void {
    if (item.place.time !== place.time || item.place.ordinal !== place.ordinal) moveInPlace(this.items, item, place);
    item.version += 1;
  }

  private onOwn(event: OrielEvent, isNewest: boolean): void {
    switch (event.type) {
      case "message": return event.role === "user" ? this.onUser(event) : this.onAgent(event, isNewest);
      case "delta": return event.role === "thought" ? this.onThought(event) : this.onAgent(event, isNewest);
      case "tool_call": case "tool_result": return this.onTool(event);
      case "completion": return this.onCompletion(event);
      case "error": this.errors.add(event.text); return this.notice(event, event.text, "bad");
      case "status":
        if (event.text === "running" && event.turn_id) this.onTurnStarted(event.turn_id);
        return;
      case "system": return this.notice(event, event.text, "quiet");
    }
  }

  private onTurnStarted(turnId: string): void {
    this.startedTurns.add(turnId);
    const said = this.byKey.get(`u/${turnId}`);
    if (said?.kind === "said" && said.isQueued) {
      said.isQueued = false;
      said.version += 1;
    }
  }

  private onUser(event: OrielEvent): void {
    if (event.data?.request_id) this.requests.add(event.data.request_id);
    const key = `u/${event.turn_id || event.index}`;
    const held = this.byKey.get(key) as SaidItem | undefined;
    const isQueued = !!event.turn_id && !this.startedTurns.has(event.turn_id);
    const timestamp = event.timestamp ?? "";
    if (held) { // its turn came first
      held.text = event.text;
      held.index = event.index;
      held.isQueued = isQueued;
      this.move(held, placeOf(event));
      return this.turns.place(held.turnId);
    }
    this.put<SaidItem>({
      kind: "said", key, role: "user", place: placeOf(event), version: 0, index: event.index, text: event.text, timestamp,
      turnId: event.turn_id ?? "", intent: "command", source: "message", files: [], isGrowing: false, isQueued,
    });
    this.turns.bind(event.turn_id ?? "");
  }

  private onAgent(event: OrielEvent, isNewest: boolean): void {
    const number = event.data?.message ?? 0;
    const key = `a/${event.turn_id ?? ""}/${number}`;
    let growing = this.growing.get(key);
    if (!growing) this.growing.set(key, (growing = new GrowingText()));
    if (event.type === "delta") growing.addPiece(event.index, event.text);
    else growing.setWhole(event.index, event.text);
    let item = this.byKey.get(key) as SaidItem | undefined;
    if (!item) {
      item = this.put<SaidItem>({
        kind: "said", key, role: "agent", place: placeOf(event), version: 0, index: event.index, text: "",
        timestamp: event.timestamp ?? "", turnId: "", intent: "", source: "message", files: [], isGrowing: false, isQueued: false,
      });
      this.turns.await(event.turn_id ?? "", item);
    } else if (event.index < item.index) {
      item.index = event.index;
      this.move(item, placeOf(event));
    }
    item.text = growing.text;
    item.version += 1;
    if (isNewest) {
      if (this.growingKey !== key) this.stopGrowing();
      item.isGrowing = true;
      this.growingKey = key;
      if (event.timestamp) item.timestamp = event.timestamp;
    }
    this.spokenTurns.add(event.turn_id ?? "");
    if (event.type === "message") this.turns.bind(event.turn_id ?? "");
  }

  private stopGrowing(): void {
    const item = this.byKey.get(this.growingKey);
    if (item?.kind === "said" && item.isGrowing) {
      item.isGrowing = false;
      item.version += 1;
    }
    this.growingKey = "";
  }

  // Thoughts have no number: pieces that follow each other directly are one.
  private onThought(event: OrielEvent): void {
    const before = this.thoughtsByEnd.get(event.index - 1);
    const after = this.thoughtsByStart.get(event.index + 1);
    const text = (before?.text ?? "") + event.text + (after?.text ?? "");
    const end = after ? endOf(after) : event.index;
    let item = before;
    if (after) {
      this.thoughtsByStart.delete(after.index);
      this.remove(after);
    }
    if (item) {
      this.thoughtsByEnd.delete(event.index - 1);
      item.text = text;
      item.version += 1;
    } else {
      item = this.put<ThoughtItem>({
        kind: "thought", key: `t/${event.index}`, place: placeOf(event), version: 0, index: event.index, text, timestamp: event.timestamp ?? "",
      });
      this.thoughtsByStart.set(event.index, item);
    }
    ends.set(item, end);
    this.thoughtsByEnd.set(end, item);
  }

  private onTool(event: OrielEvent): void {
    const key = `c/${event.tool_call_id || event.index}`;
    const time = timeOf(event.timestamp);
    let item = this.byKey.get(key) as ToolItem | undefined;
    if (!item) {
      item = this.put<ToolItem>({
        kind: "tool", key, place: placeOf(event), version: 0, index: event.index, toolCallId: event.tool_call_id ?? "",
        name: event.tool_name, args: "", output: "", status: "running", startedAt: time, endedAt: 0, durationMs: -1,
      });
    } else if (event.index < item.index) {
      item.index = event.index;
      this.move(item, placeOf(event));
    }
    item.version += 1;
    if (event.type === "tool_call") {
      item.args = event.text;
      item.startedAt = time;
      if (event.tool_name) item.name = event.tool_name;
      return;
    }
    item.output = event.text;
    item.status = event.status === "error" ? "error" : "ok";
    item.endedAt = time;
    item.durationMs = typeof event.data?.duration_ms === "number" ? event.data.duration_ms : -1;
  }

  private onPermission(event: OrielEvent): void {
    const permission = (event.data ?? {}) as Permission & { by?: string; option_id?: string; answers?: string[]; said?: { request_id?: string } };
    if (permission.said?.request_id) this.requests.add(permission.said.request_id);
    const key = `p/${permission.permission_id ?? event.index}`;
    let item = this.byKey.get(key) as AskItem | undefined;
    if (!item) {
      item = this.put<AskItem>({
        kind: "ask", key, place: placeOf(event), version: 0, index: event.index, permission: normal(permission, event.text), status: "pending",
        by: "", answer: "", isElsewhere: false, turnId: "", timestamp: event.timestamp ?? "", resolvedAt: 0,
      });
    } else if (event.index < item.index) {
      item.index = event.index;
      item.timestamp = event.timestamp ?? "";
      this.move(item, placeOf(event));
    }
    item.version += 1;
    this.turns.bind(event.turn_id ?? "");
    if (event.status === "pending") return;
    item.status = event.status ?? "";
    item.by = permission.by ?? "";
    item.resolvedAt = timeOf(event.timestamp);
    item.answer = (permission.answers ?? []).join(", ") ||
      (item.permission.options.find((option) => option.option_id === permission.option_id)?.label ?? "");
  }

  private onCompletion(event: OrielEvent): void {
    this.put<EndItem>({
      kind: "end", key: `e/${event.turn_id || event.index}`, sessionTurn: event.turn_id ?? "", place: placeOf(event), version: 0, index: event.index, status: event.status ?? "", text: event.text,
      detail: String(event.data?.detail ?? ""), spent: spentOf(event.usage), turnId: "", timestamp: event.timestamp ?? "",
      durationMs: typeof event.data?.duration_ms === "number" ? event.data.duration_ms : -1,
    });
    this.turns.bind(event.turn_id ?? "");
  }

  private notice(event: OrielEvent, text: string, tone: NoticeItem["tone"]): void {
    this.put<NoticeItem>({
      kind: "notice", key: `n/${event.index}`, place: placeOf(event), version: 0, index: event.index, tone, text, timestamp: event.timestamp ?? "",
    });
  }
}

const ends = new WeakMap<ThoughtItem, number>();
const endOf = (item: ThoughtItem): number => ends.get(item) ?? item.index;

function placeOf(event: OrielEvent): Place {
  return { time: timeOf(event.timestamp), ordinal: event.index };
}

function normal(permission: Permission, title: string): Permission {
  return {
    permission_id: permission.permission_id ?? "", tool_call_id: permission.tool_call_id ?? "", title: permission.title ?? title,
    input: permission.input ?? null, options: permission.options ?? [], questions: permission.questions ?? [],
    asked_at: permission.asked_at ?? "", expires_at: permission.expires_at ?? "",
  };
}
