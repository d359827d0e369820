// What a stream of events is to those who use it.

export interface OrielEvent {
  /** The cursor after this event. */
  id: string;
  /** Its place among all events. */
  sequence: number;
  /** Its name on the stream. */
  event: string;
  /** Its place in its session. */
  index: number;
  type: string;
  text: string;
  tool_name: string;
  role: string;
  session_id: string;
  timestamp?: string;
  project_id?: string;
  turn_id?: string;
  tool_call_id?: string;
  status?: string;
  usage?: Record<string, unknown>;
  data?: any;
}

/** Kinds are combined with AND, the names inside one with OR. An empty list is no filter. */
export interface EventFilter {
  types?: string[];
  projectIds?: string[];
  sessionIds?: string[];
}

export type ConnectionState =
  | { phase: "connecting" }
  /** Events at most; under a filter fewer come. */
  | { phase: "catching_up"; remaining: number }
  | { phase: "live" }
  /** `at`: Date.now() of the next attempt. */
  | { phase: "reconnecting"; at: number; attempt: number; reason: string }
  /** By close(), without a reason; or refused by the server (400, 401, 403), until retryNow(). */
  | { phase: "closed"; reason?: string; status?: number; code?: string; hint?: string };

/** Events that will not come: the server no longer holds them. */
export interface Gap {
  /** Null: nobody can tell, the numbers have begun anew. */
  missed: number | null;
  /** The sequence from which on events come again. */
  oldest: number;
  /** The newest sequence. */
  head: number;
}

export interface Address {
  /** Default: the page's origin; outside of pages http://127.0.0.1:7433. */
  baseUrl?: string;
  token?: string;
}

export interface StreamOptions extends EventFilter, Address {
  /** A cursor; "0": all that is held; absent: from now. */
  after?: string;
  /** One connection for all tabs; default: true in pages. */
  shared?: boolean;
  fetch?: typeof fetch;
  /** Milliseconds; the first wait before a new attempt is at most that long; default 1000. */
  minDelay?: number;
  /** Milliseconds; so long at most, unless the server asks for more; default 30 000. */
  maxDelay?: number;
  /** Milliseconds until the server's answer has begun; default 20 000. */
  connectTimeout?: number;
  /** Milliseconds without a sign of life; default 65 000, twice the server's heartbeat and some. */
  deadAfter?: number;
  /** Characters; a longer event is left out and told as a gap; default 2^27. */
  maxEventLength?: number;
}

export interface EventStream {
  readonly state: ConnectionState;
  /** Of the last event delivered. */
  readonly cursor: string | undefined;
  /** In order, each once, in batches as they arrived. */
  onEvents(listener: (events: OrielEvent[]) => void): () => void;
  onState(listener: (state: ConnectionState) => void): () => void;
  onGap(listener: (gap: Gap) => void): () => void;
  /** Does not wait any longer, also after a refusal. */
  retryNow(): void;
  close(): void;
}
