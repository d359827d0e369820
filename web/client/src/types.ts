// The public types of event streams.

export interface OrielEvent {
  /** The cursor after this event. */
  id: string;
  /** Number in the journal. */
  sequence: number;
  /** Name on the stream. */
  event: string;
  /** Number in its session. */
  index: number;
  type: string;
  text: string;
  tool_name: string;
  role: string;
  session_id: string;
  timestamp?: string;
  project_id?: string;
  task_id?: string;
  tool_call_id?: string;
  status?: string;
  /** Who published it, for an event of a service. */
  by?: string;
  usage?: Record<string, unknown>;
  data?: any;
}

/** Lists are combined with AND, the names of one list with OR. An empty list is no filter. */
export interface EventFilter {
  types?: string[];
  projectIds?: string[];
  sessionIds?: string[];
}

export type ConnectionState =
  | { phase: "connecting" }
  /** At most this many events; fewer under a filter. */
  | { phase: "catching_up"; remaining: number }
  | { phase: "live" }
  /** `at`: Date.now() of the next attempt. */
  | { phase: "reconnecting"; at: number; attempt: number; reason: string }
  /** After close(), without a reason, or rejected by the server (400, 401, 403) until retryNow(). */
  | { phase: "closed"; reason?: string; status?: number; code?: string; hint?: string };

/** Events that are lost because the server no longer stores them. */
export interface Gap {
  /** Null if unknown, because the journal starts over. */
  missed: number | null;
  /** The sequence of the next event. */
  oldest: number;
  /** The newest sequence. */
  head: number;
}

export interface Address {
  /** Default: the origin of the page, or http://127.0.0.1:7433 outside of pages. */
  baseUrl?: string;
  token?: string;
}

export interface StreamOptions extends EventFilter, Address {
  /** Starts after this cursor; "0" starts at the oldest stored event, and without one the stream starts now. */
  after?: string;
  /** One connection for all tabs; default true in pages. */
  shared?: boolean;
  fetch?: typeof fetch;
  /** The longest first reconnect delay in milliseconds; default 1000. */
  minDelay?: number;
  /** The longest reconnect delay in milliseconds, unless the server requests more; default 30 000. */
  maxDelay?: number;
  /** Milliseconds until the response begins; default 20 000. */
  connectTimeout?: number;
  /** Milliseconds without data until a connection counts as dead; default 65 000, above two heartbeats of the server. */
  deadAfter?: number;
  /** Characters; a longer event is dropped and reported as a gap; default 2^27. */
  maxEventLength?: number;
}

export interface EventStream {
  readonly state: ConnectionState;
  /** The cursor of the last delivered event. */
  readonly cursor: string | undefined;
  /** Delivers each event once and in order, in batches. */
  onEvents(listener: (events: OrielEvent[]) => void): () => void;
  onState(listener: (state: ConnectionState) => void): () => void;
  onGap(listener: (gap: Gap) => void): () => void;
  /** Reconnects now, also after a rejection. */
  retryNow(): void;
  close(): void;
}
