// The browser or Node functions that a stream needs; tests replace them.

export interface Channel {
  post(message: unknown): void;
  close(): void;
}

export interface Platform {
  now(): number;
  random(): number;
  later(ms: number, run: () => void): () => void; // returns a function that cancels it
  onOnline(run: () => void): () => void;
  onVisible(run: () => void): () => void;
  // For shared connections; undefined in Node, and in pages that are neither HTTPS nor loopback.
  sharing?: {
    locks: Pick<LockManager, "request">;
    digest(text: string): Promise<string>;
    channel(name: string, receive: (message: any) => void): Channel;
  };
}

function listen(target: EventTarget | undefined, type: string, run: () => void): () => void {
  target?.addEventListener?.(type, run);
  return () => target?.removeEventListener?.(type, run);
}

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function channel(name: string, receive: (message: any) => void): Channel {
  const opened = new BroadcastChannel(name);
  opened.onmessage = ({ data }) => receive(data);
  return { post: (message) => opened.postMessage(message), close: () => opened.close() };
}

export function thisPlatform(): Platform {
  const page = globalThis.document;
  const locks = globalThis.navigator?.locks;
  const canShare = locks && globalThis.BroadcastChannel && globalThis.crypto?.subtle;
  return {
    now: () => Date.now(),
    random: () => Math.random(),
    later: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    onOnline: (run) => listen(globalThis as EventTarget, "online", run),
    onVisible: (run) => listen(page, "visibilitychange", () => page.visibilityState === "visible" && run()),
    sharing: canShare ? { locks, digest, channel } : undefined,
  };
}
