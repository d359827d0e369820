// The events of a session as an ordered conversation. Events may be added in any order and more than once: pages from the newest
// back, and the stream. The result depends only on the set of events.
import type { Permission, Turn } from "@oriel/client";
import { nameOf, type NamedEvent } from "./event_name";
import { StreamedText } from "./streamed_text";
import { IndexSet } from "./index_set";
import type { AskItem, CompletionItem, Item, NoticeItem, MessageItem, ThoughtItem, ToolItem } from "./items";
import { comparePositions, indexOfItem, insertOrdered, moveOrdered, timeOf, type Position } from "./position";
import { messageKey, Turns } from "./turns";
import { spentOf } from "./usage";

export class Conversation {
  readonly items: Item[] = [];
  version = 0;
  readonly tasksWithText = new Set<string>(); // tasks with a message of the agent
  readonly errors = new Set<string>(); // texts that are shown already
  readonly requests = new Set<string>(); // request ids of messages and answers
  firstIndex = Infinity;
  lastIndex = -1;

  private readonly startedTasks = new Set<string>(); // running or complete
  private readonly seen = new IndexSet();
  private readonly byKey = new Map<string, Item>();
  private readonly texts = new Map<string, StreamedText>();
  private readonly thoughtsByEnd = new Map<number, ThoughtItem>();
  private readonly thoughtsByStart = new Map<number, ThoughtItem>();
  private readonly turns = new Turns(this);
  private streamingKey = "";

  // The number of added events.
  get count(): number {
    return this.seen.count;
  }

  has(index: number): boolean {
    return this.seen.has(index);
  }

  addAll(events: readonly NamedEvent[]): void {
    for (const event of events) this.add(event);
  }

  add(event: NamedEvent): void {
    if (event.index < 0 || !this.seen.add(event.index)) return;
    this.version += 1;
    const isNewest = event.index > this.lastIndex;
    this.firstIndex = Math.min(this.firstIndex, event.index);
    this.lastIndex = Math.max(this.lastIndex, event.index);
    const name = nameOf(event);
    if (isNewest && event.type !== "delta" && event.type !== "message" && event.type !== "system") this.stopStreaming();
    switch (name) {
      case "turn_created": case "turn_updated": case "turn_detected": return this.turns.apply(event, name);
      case "permission_requested": case "permission_resolved": return this.onPermission(event);
      case "session_created": case "session_ended": case "session_resumed": case "agent_silence":
        return this.notice(event, event.text || name, "quiet");
      case "state_transition": return;
      default: return this.onSessionEvent(event, isNewest);
    }
  }

  // Adds turns from REST, for turns whose events are not stored.
  addTurns(turns: readonly Turn[]): void {
    for (const turn of turns) this.turns.add(turn);
    this.version += 1;
  }

  get(key: string): Item | undefined {
    return this.byKey.get(key);
  }

  // The item that an address names: by its key, or by its turn.
  find(at: string): Item | undefined {
    return this.byKey.get(at) ?? (at.startsWith("turn_") || !at.includes("/") ? this.items.find((item) => "turnId" in item && item.turnId === at) : undefined);
  }

  put<T extends Item>(item: T): T {
    this.byKey.set(item.key, item);
    insertOrdered(this.items, item);
    return item;
  }

  remove(item: Item): void {
    this.byKey.delete(item.key);
    const at = indexOfItem(this.items, item);
    if (at >= 0) this.items.splice(at, 1);
  }

  move(item: Item, position: Position): void {
    if (comparePositions(item.position, position) !== 0) moveOrdered(this.items, item, position);
    item.version += 1;
  }

  private onSessionEvent(event: NamedEvent, isNewest: boolean): void {
    switch (event.type) {
      case "message": return event.role === "user" ? this.onUserMessage(event) : this.onAgentText(event, isNewest);
      case "delta": return event.role === "thought" ? this.onThought(event) : this.onAgentText(event, isNewest);
      case "tool_call": case "tool_result": return this.onTool(event);
      case "completion": return this.onCompletion(event);
      case "error": this.errors.add(event.text); return this.notice(event, event.text, "bad");
      case "status":
        if (event.text === "running" && event.task_id) this.onTaskStarted(event.task_id);
        return;
      case "system": return this.notice(event, event.text, "quiet");
    }
  }

  private onTaskStarted(taskId: string): void {
    this.startedTasks.add(taskId);
    const item = this.byKey.get(`u/${taskId}`);
    if (item?.kind === "message" && item.isQueued) {
      item.isQueued = false;
      item.version += 1;
    }
  }

  private onUserMessage(event: NamedEvent): void {
    if (event.data?.request_id) this.requests.add(event.data.request_id);
    const item = this.put<MessageItem>({
      kind: "message", key: `u/${event.task_id || event.index}`, role: "user", position: positionOf(event), version: 0, index: event.index,
      text: event.text, timestamp: event.timestamp ?? "", turnId: "", intent: "command", source: "message", files: [], isStreaming: false,
      endedAt: timeOf(event.timestamp), isQueued: !!event.task_id && !this.startedTasks.has(event.task_id),
    });
    this.turns.bind(messageKey(event.index), item);
  }

  private onAgentText(event: NamedEvent, isNewest: boolean): void {
    const number = event.data?.message ?? 0;
    const key = `a/${event.task_id ?? ""}/${number}`;
    let text = this.texts.get(key);
    if (!text) this.texts.set(key, (text = new StreamedText()));
    if (event.type === "delta") text.addPiece(event.index, event.text);
    else text.setFull(event.index, event.text);
    let item = this.byKey.get(key) as MessageItem | undefined;
    if (!item) {
      item = this.put<MessageItem>({
        kind: "message", key, role: "agent", position: positionOf(event), version: 0, index: event.index, text: "",
        timestamp: event.timestamp ?? "", turnId: "", intent: "", source: "message", files: [], isStreaming: false, isQueued: false,
        endedAt: 0,
      });
    } else if (event.index < item.index) {
      item.index = event.index;
      this.move(item, positionOf(event));
    }
    item.text = text.text;
    item.endedAt = Math.max(item.endedAt, timeOf(event.timestamp));
    item.version += 1;
    if (isNewest) {
      if (this.streamingKey !== key) this.stopStreaming();
      item.isStreaming = true;
      this.streamingKey = key;
      if (event.timestamp) item.timestamp = event.timestamp;
    }
    this.tasksWithText.add(event.task_id ?? "");
    if (event.type === "message") this.turns.bind(messageKey(event.index), item);
  }

  private stopStreaming(): void {
    const item = this.byKey.get(this.streamingKey);
    if (item?.kind === "message" && item.isStreaming) {
      item.isStreaming = false;
      item.version += 1;
    }
    this.streamingKey = "";
  }

  // Thoughts have no number: consecutive pieces are one thought.
  private onThought(event: NamedEvent): void {
    const before = this.thoughtsByEnd.get(event.index - 1);
    const after = this.thoughtsByStart.get(event.index + 1);
    const text = (before?.text ?? "") + event.text + (after?.text ?? "");
    const end = after ? endOf(after) : event.index;
    const endedAt = Math.max(before?.endedAt ?? 0, timeOf(event.timestamp), after?.endedAt ?? 0);
    let item = before;
    if (after) {
      this.thoughtsByStart.delete(after.index);
      this.remove(after);
    }
    if (item) {
      this.thoughtsByEnd.delete(event.index - 1);
      item.text = text;
      item.endedAt = endedAt;
      item.version += 1;
    } else {
      item = this.put<ThoughtItem>({
        kind: "thought", key: `t/${event.index}`, position: positionOf(event), version: 0, index: event.index, text, timestamp: event.timestamp ?? "",
        endedAt,
      });
      this.thoughtsByStart.set(event.index, item);
    }
    ends.set(item, end);
    this.thoughtsByEnd.set(end, item);
  }

  private onTool(event: NamedEvent): void {
    const key = `c/${event.tool_call_id || event.index}`;
    const time = timeOf(event.timestamp);
    let item = this.byKey.get(key) as ToolItem | undefined;
    if (!item) {
      item = this.put<ToolItem>({
        kind: "tool", key, position: positionOf(event), version: 0, index: event.index, toolCallId: event.tool_call_id ?? "",
        name: event.tool_name, args: "", output: "", status: "running", startedAt: time, endedAt: 0, durationMs: -1,
      });
    } else if (event.index < item.index) {
      item.index = event.index;
      this.move(item, positionOf(event));
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

  private onPermission(event: NamedEvent): void {
    const permission = (event.data ?? {}) as Permission & { by?: string; option_id?: string; answers?: string[]; said?: { request_id?: string } };
    if (permission.said?.request_id) this.requests.add(permission.said.request_id);
    const key = `p/${permission.permission_id ?? event.index}`;
    let item = this.byKey.get(key) as AskItem | undefined;
    if (!item) {
      item = this.put<AskItem>({
        kind: "ask", key, position: positionOf(event), version: 0, index: event.index, permission: withDefaults(permission, event.text), status: "pending",
        by: "", answer: "", isElsewhere: false, turnId: "", timestamp: event.timestamp ?? "", resolvedAt: 0,
      });
    } else if (event.index < item.index) {
      item.index = event.index;
      item.timestamp = event.timestamp ?? "";
      this.move(item, positionOf(event));
    }
    item.version += 1;
    this.turns.bind(key, item);
    if (event.status === "pending") return;
    item.status = event.status ?? "";
    item.by = permission.by ?? "";
    item.resolvedAt = timeOf(event.timestamp);
    item.answer = (permission.answers ?? []).join(", ") ||
      (item.permission.options.find((option) => option.option_id === permission.option_id)?.label ?? "");
  }

  private onCompletion(event: NamedEvent): void {
    const item = this.put<CompletionItem>({
      kind: "completion", key: `e/${event.task_id || event.index}`, taskId: event.task_id ?? "", position: positionOf(event), version: 0, index: event.index, status: event.status ?? "", text: event.text,
      detail: String(event.data?.detail ?? ""), spent: spentOf(event.usage), turnId: "", timestamp: event.timestamp ?? "",
      durationMs: typeof event.data?.duration_ms === "number" ? event.data.duration_ms : -1,
    });
    this.turns.bind(item.key, item);
  }

  private notice(event: NamedEvent, text: string, tone: NoticeItem["tone"]): void {
    this.put<NoticeItem>({
      kind: "notice", key: `n/${event.index}`, position: positionOf(event), version: 0, index: event.index, tone, text, timestamp: event.timestamp ?? "",
    });
  }
}

const ends = new WeakMap<ThoughtItem, number>();
const endOf = (item: ThoughtItem): number => ends.get(item) ?? item.index;

function positionOf(event: NamedEvent): Position {
  return { time: timeOf(event.timestamp), ordinal: event.index };
}

function withDefaults(permission: Permission, title: string): Permission {
  return {
    permission_id: permission.permission_id ?? "", tool_call_id: permission.tool_call_id ?? "", title: permission.title ?? title,
    input: permission.input ?? null, options: permission.options ?? [], questions: permission.questions ?? [],
    asked_at: permission.asked_at ?? "", expires_at: permission.expires_at ?? "",
  };
}
