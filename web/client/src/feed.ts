// One connection to the event stream that reconnects by itself. It keeps the cursor and reports each step of it.

import { clampDelay, delay } from "./backoff";
import { hasReached, sequenceOf, type Cursor } from "./cursor";
import type { Platform } from "./platform";
import { readError } from "./read_error";
import { SseParser, type SseBlock } from "./sse_parser";
import type { ConnectionState, Gap, OrielEvent } from "./types";

export interface FeedRequest {
  url(cursor: Cursor): string;
  headers: Headers;
  fetch: typeof fetch;
  minDelay: number;
  maxDelay: number;
  connectTimeout: number;
  deadAfter: number;
  maxEventLength: number;
}

export interface FeedSink {
  step(from: Cursor, to: Cursor, events: OrielEvent[]): void; // `events` is empty if only the cursor moves
  gap(gap: Gap): void;
  state(state: ConnectionState): void;
}

// Under a filter the newest event may not arrive, so a stream without events for this long is live.
const SETTLE_TIME = 1000; // ms
const PERMANENT_ERRORS = [400, 401, 403]; // retrying does not help

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export class Feed {
  cursor: Cursor;
  state: ConnectionState = { phase: "connecting" };
  head: Cursor; // of the journal when the stream opened
  #platform: Platform;
  #request: FeedRequest;
  #sink: FeedSink;
  #connection: AbortController | undefined; // undefined while waiting, rejected or closed
  #attempt = 0;
  #retry = 0; // ms, requested by the server
  #from: Cursor; // before the batch
  #batch: OrielEvent[] = [];
  #isClosed = false;
  #isOpen = false;
  #isCatchingUp = false;
  #lastByteAt = 0;
  #stopWaiting = () => {};
  #stopWatching = () => {};
  #stopSettling = () => {};

  constructor(platform: Platform, request: FeedRequest, cursor: Cursor, sink: FeedSink) {
    this.#platform = platform;
    this.#request = request;
    this.cursor = cursor;
    this.#sink = sink;
  }

  connect(): void {
    this.#disconnect();
    this.#isOpen = false;
    this.#from = this.cursor;
    const connection = (this.#connection = new AbortController());
    this.#lastByteAt = this.#platform.now();
    this.#watch(this.#request.connectTimeout);
    this.#show({ phase: "connecting" });
    void this.#read(connection);
  }

  // Ends a wait. Only retryNow() reconnects after a permanent error.
  wake(): void {
    if (this.state.phase === "reconnecting") this.connect();
    else if (this.#isDead(this.#request.deadAfter)) this.connect();
  }

  // A connection from before the network change may be dead.
  online(): void {
    if (this.state.phase !== "closed") this.connect();
  }

  // Ends a wait whose timer is late, as in hidden pages.
  due(): void {
    if (this.state.phase === "reconnecting" && this.#platform.now() >= this.state.at) this.connect();
  }

  retryNow(): void {
    if (!this.#connection) this.connect();
  }

  close(): void {
    this.#disconnect();
    this.#isClosed = true;
    this.#sink = { step() {}, gap() {}, state() {} };
  }

  #disconnect(): void {
    this.#connection?.abort();
    this.#connection = undefined;
    this.#isOpen = false;
    this.#stopWaiting();
    this.#stopWatching();
    this.#stopSettling();
  }

  async #read(connection: AbortController): Promise<void> {
    const isCurrent = () => this.#connection === connection;
    try {
      const { url, headers, fetch } = this.#request;
      const response = await fetch(url(this.cursor), { headers, signal: connection.signal, cache: "no-store" });
      if (!isCurrent()) return;
      if (!response.ok) {
        const error = await readError(response, this.#platform.now());
        return isCurrent() ? this.#onErrorResponse(error) : undefined;
      }
      if (!response.headers.get("Content-Type")?.startsWith("text/event-stream") || !response.body) {
        throw new Error("the response is not an event stream");
      }
      const parser = this.#parser(isCurrent);
      const reader = response.body.getReader();
      for (let part; (part = await reader.read()), isCurrent() && !part.done; ) {
        this.#lastByteAt = this.#platform.now();
        parser.push(part.value!);
        this.#flush();
      }
      if (isCurrent()) this.#reconnectLater("the connection ended");
    } catch (error) {
      if (isCurrent()) this.#reconnectLater(messageOf(error));
    }
  }

  #parser(isCurrent: () => boolean): SseParser {
    const sink = {
      block: (block: SseBlock) => isCurrent() && this.#take(block),
      comment: () => void (this.#attempt = 0),
      retry: (ms: number) => void (this.#retry = clampDelay(ms)),
    };
    return new SseParser(sink, this.#request.maxEventLength);
  }

  #take(block: SseBlock): void {
    const { id, event, isTooLong } = block;
    const isNew = id !== "" && !hasReached(this.cursor, id);
    const data = block.data && !isTooLong ? JSON.parse(block.data) : undefined;
    if (event === "hello") {
      this.#isOpen = true;
      if (id) this.cursor = id;
      this.head = `${data.head}-${data.epoch}`;
      this.#isCatchingUp = !hasReached(this.cursor, this.head);
    } else if (event === "gap") {
      this.#flush();
      this.#sink.gap(data);
    } else if (event === "bye") {
      this.#flush();
      this.#reconnectLater(`the server closed the stream: ${data.reason}`, data.retry_ms);
    } else {
      this.#attempt = 0;
      if (isNew) this.#move(id, event, data, isTooLong);
    }
  }

  #move(id: string, event: string, data: object | undefined, isTooLong: boolean): void {
    const sequence = sequenceOf(id);
    if (data) this.#batch.push({ ...data, id, sequence, event } as OrielEvent);
    this.cursor = id;
    if (!isTooLong) return;
    this.#flush();
    this.#sink.gap({ missed: 1, oldest: sequence + 1, head: Math.max(sequence, sequenceOf(this.head)) });
  }

  #flush(): void {
    const from = this.#from;
    const batch = this.#batch;
    this.#batch = [];
    this.#from = this.cursor;
    if (from !== this.cursor || batch.length > 0) this.#sink.step(from, this.cursor, batch);
    if (this.#isOpen) this.#showProgress();
  }

  #showProgress(): void {
    this.#isCatchingUp &&= !hasReached(this.cursor, this.head);
    this.#stopSettling();
    this.#watch(this.#request.deadAfter);
    if (!this.#isCatchingUp) return this.#show({ phase: "live" });
    this.#show({ phase: "catching_up", remaining: sequenceOf(this.head) - sequenceOf(this.cursor) });
    this.#stopSettling = this.#platform.later(SETTLE_TIME, () => {
      this.#isCatchingUp = false;
      this.#show({ phase: "live" });
    });
  }

  #onErrorResponse(error: { status: number; code: string; message: string; hint: string; retryAfter?: number }): void {
    const { status, code, message, hint, retryAfter } = error;
    if (!PERMANENT_ERRORS.includes(status)) return this.#reconnectLater(message, retryAfter && retryAfter * 1000);
    this.#disconnect();
    this.#show({ phase: "closed", reason: message, status, code, hint });
  }

  #reconnectLater(reason: string, requestedDelay?: unknown): void {
    this.#flush();
    if (this.#isClosed) return; // by a listener
    this.#disconnect();
    this.#attempt += 1;
    const { minDelay, maxDelay } = this.#request;
    const floor = requestedDelay === undefined ? this.#retry : clampDelay(requestedDelay);
    const wait = delay(this.#attempt, floor, minDelay, maxDelay, this.#platform.random());
    this.#stopWaiting = this.#platform.later(wait, () => this.connect());
    this.#show({ phase: "reconnecting", at: this.#platform.now() + wait, attempt: this.#attempt, reason });
  }

  #isDead(limit: number): boolean {
    return this.#connection !== undefined && this.#platform.now() - this.#lastByteAt >= limit;
  }

  #watch(limit: number): void {
    this.#stopWatching();
    const left = this.#lastByteAt + limit - this.#platform.now();
    this.#stopWatching = this.#platform.later(left, () => {
      if (this.#isDead(limit)) this.#reconnectLater(`no data for ${Math.round(limit / 1000)} s`);
      else this.#watch(limit);
    });
  }

  #show(state: ConnectionState): void {
    this.state = state;
    this.#sink.state(state);
  }
}
