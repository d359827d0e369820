// An HTTP proxy on loopback that breaks connections on purpose. It reads whole requests and forwards responses as raw bytes, one
// request per connection, so that a fault can strike inside a header, a chunk or an event.

import http from 'node:http';
import net from 'node:net';
import { seededRandom } from './random.mjs';

// What can happen to a connection. `cut` resets it, `end` closes it in the middle of a response, `stall` sends nothing more,
// `reset` resets it before the first byte, `busy` and `busy-date` answer 503 with Retry-After, `drip` closes it after many tiny
// writes.
export const FAULTS = ['cut', 'cut', 'end', 'end', 'stall', 'reset', 'busy', 'busy-date', 'drip'];

const MAX_BYTES = 30_000;
const BUSY = JSON.stringify({ error: { code: 'too_many_clients', message: 'too many clients', hint: '' } });
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'content-length'];

export class CuttingProxy {
  intercept = () => false; // (request, response): answers in place of the server and returns true
  #target;
  #server = http.createServer((request, response) => this.#serve(request, response));
  #sockets = new Set();
  #streams = new Set(); // of GET /api/events
  #hold; // { matches, released }
  #random;
  #faults; // kinds, shuffled
  #planned = new WeakMap(); // client socket -> kind
  #made = 0;
  #options;

  // `faults`: at most `count` faults of these kinds, chosen by `seed`. `maxBytes`: bytes of a response before a fault strikes.
  // `marker`: bytes count only after this text. `linger`: ms between the last byte and a reset, for the client to read it.
  static async start(target, options = {}) {
    const proxy = new CuttingProxy(target, options);
    await new Promise((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  constructor(target, { seed = 0, faults = [], count = 0, maxBytes = MAX_BYTES, marker = '', linger = 0 }) {
    this.#target = new URL(target);
    this.#random = seededRandom(seed);
    this.#faults = faults.map((kind) => ({ kind, order: this.#random() })).sort((a, b) => a.order - b.order).map(({ kind }) => kind);
    this.#options = { count, maxBytes, marker, linger };
    this.#server.on('connection', (socket) => this.#accept(socket));
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  get faultsMade() {
    return this.#made;
  }

  get isExhausted() {
    return this.#made >= this.#options.count;
  }

  // Breaks all connections; the next ones go to another server.
  moveTo(target) {
    this.#target = new URL(target);
    for (const socket of this.#sockets) socket.destroy();
  }

  cutStreams() {
    for (const { client } of this.#streams) client.destroy();
  }

  pauseStreams() {
    for (const { upstream } of this.#streams) upstream.pause();
  }

  resumeStreams() {
    for (const { upstream } of this.#streams) upstream.resume();
  }

  // Delays the responses to requests that `matches(request)` selects until the returned function is called.
  holdResponses(matches) {
    let release;
    this.#hold = { matches, released: new Promise((resolve) => { release = resolve; }) };
    return () => {
      this.#hold = undefined;
      release();
    };
  }

  stop() {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #track(socket) {
    socket.setNoDelay(true);
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
  }

  #accept(client) {
    this.#track(client);
    const kind = this.isExhausted ? undefined : this.#faults[this.#made % this.#faults.length];
    if (kind === 'reset' && this.#takeFault()) client.resetAndDestroy();
    else this.#planned.set(client, kind);
  }

  #takeFault() {
    if (this.isExhausted) return false;
    this.#made += 1;
    return true;
  }

  async #serve(request, response) {
    if (this.intercept(request, response)) return;
    const client = request.socket;
    const kind = this.#planned.get(client);
    const body = Buffer.concat(await request.toArray().catch(() => []));
    if (client.destroyed) return;
    if (kind?.startsWith('busy') && this.#takeFault()) {
      const retry = kind === 'busy' ? '1' : new Date(Date.now() + 1000).toUTCString();
      response.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': retry, Connection: 'close' }).end(BUSY);
      return;
    }
    const upstream = net.connect(Number(this.#target.port), this.#target.hostname);
    this.#track(upstream);
    client.on('close', () => upstream.destroy());
    upstream.write(headOf(request, body.length));
    upstream.write(body);
    if (request.method === 'GET' && request.url.startsWith('/api/events')) this.#trackStream(client, upstream);
    if (this.#hold?.matches(request)) await this.#hold.released;
    this.#forward(upstream, client, kind);
  }

  #trackStream(client, upstream) {
    const stream = { client, upstream };
    this.#streams.add(stream);
    client.on('close', () => this.#streams.delete(stream));
  }

  #forward(upstream, client, kind) {
    const { maxBytes, marker, linger } = this.#options;
    const strike = {
      cut: (last) => client.write(last, () => setTimeout(() => {
        client.resetAndDestroy();
        upstream.resetAndDestroy();
      }, linger)),
      end: (last) => client.end(last),
      drip: (last) => client.end(last),
      stall: (last) => client.write(last),
    }[kind];
    const countBytes = counterAfter(marker);
    let left = strike ? Math.floor(this.#random() * maxBytes) : Infinity;
    let isStruck = false;
    upstream.on('data', (bytes) => {
      if (isStruck) return;
      const counted = countBytes(bytes);
      if (counted > left && this.#takeFault()) {
        isStruck = true;
        strike(bytes.subarray(0, bytes.length - counted + left));
        return;
      }
      left = Math.max(0, left - counted);
      if (kind === 'drip') this.#drip(client, bytes);
      else client.write(bytes);
    });
    upstream.on('close', () => isStruck || client.end());
  }

  #drip(client, bytes) {
    for (let start = 0, size; start < bytes.length; start += size) {
      size = 1 + Math.floor(this.#random() * 40);
      client.write(bytes.subarray(start, start + size));
    }
  }
}

function headOf(request, length) {
  const lines = [`${request.method} ${request.url} HTTP/1.1`, 'Connection: close'];
  if (length > 0 || request.method === 'POST') lines.push(`Content-Length: ${length}`);
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    if (!HOP_BY_HOP.includes(request.rawHeaders[i].toLowerCase())) lines.push(`${request.rawHeaders[i]}: ${request.rawHeaders[i + 1]}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

// Returns how many bytes of each piece follow the first occurrence of the marker.
function counterAfter(marker) {
  let isFound = marker === '';
  let tail = Buffer.alloc(0);
  return (bytes) => {
    if (isFound) return bytes.length;
    const seen = Buffer.concat([tail, bytes]);
    const start = seen.indexOf(marker);
    tail = seen.subarray(-marker.length);
    if (start < 0) return 0;
    isFound = true;
    return Math.min(bytes.length, seen.length - start - marker.length);
  };
}
