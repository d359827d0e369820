// A fake for fetch: each request waits until the test responds.

const encoder = new TextEncoder();

export class FakeExchange {
  url: URL;
  headers: Headers;
  signal: AbortSignal;
  isAnswered = false;
  #resolve: (response: Response) => void;
  #reject: (error: unknown) => void;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(url: string, init: RequestInit, resolve: (response: Response) => void, reject: (error: unknown) => void) {
    this.url = new URL(url);
    this.headers = new Headers(init.headers);
    this.signal = init.signal!;
    this.#resolve = resolve;
    this.#reject = reject;
    this.signal.addEventListener("abort", () => {
      reject(this.signal.reason);
      this.#quietly(() => this.#body?.error(this.signal.reason));
    });
  }

  get cursor(): string | null {
    return this.url.searchParams.get("last_event_id");
  }

  get isOpen(): boolean {
    return !this.signal.aborted && this.#body !== undefined;
  }

  open(type = "text/event-stream"): this {
    this.isAnswered = true;
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (this.#body = controller) });
    this.#resolve(new Response(body, { headers: { "Content-Type": type } }));
    return this;
  }

  send(text: string): this {
    this.#quietly(() => this.#body!.enqueue(encoder.encode(text)));
    return this;
  }

  hello(start: number, head: number, epoch = "a"): this {
    const data = { client_id: "c", epoch, head, oldest: 1, resumed: true, missed: 0 };
    return this.send(`id: ${start}-${epoch}\nevent: hello\ndata: ${JSON.stringify(data)}\n\n`);
  }

  event(sequence: number, epoch = "a"): this {
    return this.send(frame(sequence, epoch));
  }

  end(): void {
    this.#quietly(() => this.#body!.close());
    this.#body = undefined;
  }

  cut(): void {
    this.#quietly(() => this.#body!.error(new TypeError("cut")));
    this.#body = undefined;
  }

  answer(status: number, body: object | string, headers: Record<string, string> = {}): void {
    this.isAnswered = true;
    this.#resolve(new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers }));
  }

  failToConnect(): void {
    this.isAnswered = true;
    this.#reject(new TypeError("connection refused"));
  }

  #quietly(run: () => void): void {
    try {
      run();
    } catch {
      // the reader is closed
    }
  }
}

export const frame = (sequence: number, epoch = "a"): string =>
  `id: ${sequence}-${epoch}\nevent: note\ndata: ${JSON.stringify({ index: 0, type: "note", text: `event ${sequence}` })}\n\n`;

export class FakeServer {
  exchanges: FakeExchange[] = [];

  fetch = ((url: string, init: RequestInit) =>
    new Promise<Response>((resolve, reject) => {
      this.exchanges.push(new FakeExchange(url, init, resolve, reject));
      this.onRequest(this.exchanges.at(-1)!);
    })) as typeof fetch;

  onRequest = (_: FakeExchange): void => {};

  get last(): FakeExchange {
    return this.exchanges.at(-1)!;
  }

  get open(): FakeExchange[] {
    return this.exchanges.filter((exchange) => exchange.isOpen);
  }
}

// Responds like Oriel: replays from the cursor, then sends live events.
export class FakeOriel extends FakeServer {
  epoch = "a";
  head = 0;
  isDown = false;

  override onRequest = (exchange: FakeExchange): void => {
    if (this.isDown) return exchange.failToConnect();
    const [sequence, epoch] = (exchange.cursor ?? `${this.head}-${this.epoch}`).split("-");
    const isResumed = (epoch ?? this.epoch) === this.epoch;
    const start = isResumed ? Number(sequence) : 0;
    exchange.open().send("retry: 0\n").hello(start, this.head, this.epoch);
    if (!isResumed) exchange.send(`event: gap\ndata: {"oldest":1,"head":${this.head},"missed":null}\n\n`);
    for (let next = start + 1; next <= this.head; ++next) exchange.event(next, this.epoch);
  };

  publish(count = 1): void {
    for (; count > 0; --count) {
      this.head += 1;
      for (const exchange of this.open) exchange.event(this.head, this.epoch);
    }
  }

  cut(): void {
    for (const exchange of this.open) exchange.cut();
  }
}
