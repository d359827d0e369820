// Stands before a server: serves the page's files from a folder where asked to, hands everything else on, and can misbehave:
// cut all streams or let them rest, keep answers back, or answer some requests with an error.

import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml' };
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export class Proxy {
  #server;
  #streams = new Set();
  upstream; // its port
  files; // a folder, or undefined: the server's own page is shown
  refuse; // { status, retryAfter, matches(path, method) }: answered in place of the server
  #kept; // { matches(path, method), until }: the server has it, but its answer comes later

  constructor({ upstream, files }) {
    this.upstream = upstream;
    this.files = files;
  }

  async start(port = 0) {
    this.#server = http.createServer((request, response) => this.#serve(request, response));
    await new Promise((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    return this;
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  cutStreams() {
    for (const { response } of this.#streams) response.destroy();
  }

  restStreams() {
    for (const { answer } of this.#streams) answer.pause();
  }

  wakeStreams() {
    for (const { answer } of this.#streams) answer.resume();
  }

  // Answers what lets the answers go.
  keepAnswers(matches) {
    let letGo;
    this.#kept = { matches, until: new Promise((resolve) => { letGo = resolve; }) };
    return () => { this.#kept = undefined; letGo(); };
  }

  async stop() {
    this.cutStreams();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(request, response) {
    const { pathname } = new URL(request.url, 'http://x');
    if (this.#isRefused(request, pathname, response)) return undefined;
    if (this.files && this.#serveFile(pathname, response)) return undefined;
    return this.#pass(request, response, pathname);
  }

  #isRefused(request, pathname, response) {
    if (!this.refuse?.matches(pathname, request.method)) return false;
    const { status = 503, retryAfter } = this.refuse;
    const headers = { 'Content-Type': 'application/json' };
    if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter);
    response.writeHead(status, headers).end(JSON.stringify({ error: { code: 'refused', message: 'all places are taken', hint: 'come back later' } }));
    return true;
  }

  #serveFile(pathname, response) {
    const name = pathname === '/' ? 'index.html' : pathname.slice(1);
    if (!/^[\w.-]+$/.test(name) || !TYPES[path.extname(name)]) return false;
    const file = path.join(this.files, name);
    if (!fs.existsSync(file)) return false;
    response.writeHead(200, { 'Content-Type': TYPES[path.extname(name)], 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-cache' });
    response.end(fs.readFileSync(file));
    return true;
  }

  #pass(request, response, pathname) {
    const host = `127.0.0.1:${this.upstream}`;
    const headers = { ...request.headers, host };
    if (headers.origin) headers.origin = `http://${host}`;
    const isStream = pathname === '/api/events' && request.method === 'GET';
    const onward = http.request({ host: '127.0.0.1', port: this.upstream, method: request.method, path: request.url, headers }, async (answer) => {
      if (this.#kept?.matches(pathname, request.method)) await this.#kept.until;
      response.writeHead(answer.statusCode, answer.headers);
      if (isStream && answer.statusCode === 200) {
        const stream = { answer, response };
        this.#streams.add(stream);
        response.on('close', () => this.#streams.delete(stream));
      }
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  }
}
