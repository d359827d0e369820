// Parses server-sent events by the HTML standard from chunks of any size. Memory is bounded: an event beyond the limit is reported
// without its data.

export interface SseBlock {
  id: string; // the last id of the stream
  event: string;
  data: string | undefined;
  isTooLong: boolean;
}

export interface SseSink {
  block(block: SseBlock): void;
  comment(): void;
  retry(ms: number): void;
}

export class SseParser {
  #sink: SseSink;
  #limit: number;
  #decoder = new TextDecoder(); // removes a byte order mark
  #line = "";
  #isSkipping = false; // the rest of an overlong line
  #isAfterCr = false;
  #id = "";
  #event = "";
  #data: string | undefined;
  #isTooLong = false;

  constructor(sink: SseSink, limit: number) {
    this.#sink = sink;
    this.#limit = limit;
  }

  push(bytes: Uint8Array): void {
    const text = this.#decoder.decode(bytes, { stream: true });
    if (!text) return;
    const ends = /\r\n?|\n/g;
    let start = this.#isAfterCr && text[0] === "\n" ? 1 : 0;
    ends.lastIndex = start;
    for (let end; (end = ends.exec(text)); start = ends.lastIndex) {
      this.#add(text.slice(start, end.index));
      this.#end();
    }
    this.#add(text.slice(start));
    this.#isAfterCr = text.endsWith("\r");
  }

  #add(piece: string): void {
    if (this.#line.length + piece.length > this.#limit) {
      this.#isSkipping = this.#isTooLong = true;
      this.#line = "";
    }
    if (!this.#isSkipping) this.#line += piece;
  }

  #end(): void {
    const line = this.#line;
    const isSkipped = this.#isSkipping;
    this.#line = "";
    this.#isSkipping = false;
    if (isSkipped) return;
    if (!line) return this.#dispatch();
    const [, field, value] = /^([^:]*):? ?([^]*)$/.exec(line)!;
    if (line[0] === ":") this.#sink.comment();
    else if (field === "event") this.#event = value!;
    else if (field === "id" && !value!.includes("\0")) this.#id = value!;
    else if (field === "retry" && /^\d+$/.test(value!)) this.#sink.retry(Number(value));
    else if (field === "data") this.#addData(value!);
  }

  #addData(value: string): void {
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    if (this.#data.length <= this.#limit) return;
    this.#data = "";
    this.#isTooLong = true;
  }

  #dispatch(): void {
    const block = { id: this.#id, event: this.#event || "message", data: this.#data, isTooLong: this.#isTooLong };
    this.#event = "";
    this.#data = undefined;
    this.#isTooLong = false;
    this.#sink.block(block);
  }
}
