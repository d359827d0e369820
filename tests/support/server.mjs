// `oriel serve` on a free port of loopback, with a home, data directory and workspace of its own. It can be killed and started
// again on the same data and port.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ServerProcess } from './process.mjs';
import { until } from './until.mjs';

export const ROOT = path.resolve(import.meta.dirname, '../..');
// ORIEL_PROGRAM selects a server that is built already.
const PROGRAM = [process.env.ORIEL_PROGRAM, 'build/dev/oriel', 'build/release/oriel']
  .filter(Boolean).map((file) => path.resolve(ROOT, file)).find((file) => fs.existsSync(file)) ?? 'build/dev/oriel';
const READY = /^Oriel is ready: (http:\S+)\n/;

// Processes with `text` in their environment: the server and everything it started.
function processesWith(text) {
  return fs.readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return fs.readFileSync(`/proc/${pid}/environ`).includes(text);
    } catch {
      return false; // it has exited, or belongs to another user
    }
  });
}

export class Server {
  url;
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'oriel-test-'));
  dataDir = path.join(this.dir, 'data');
  workspace = path.join(this.dir, 'workspace');
  flags;
  #process;
  #earlierLog = '';

  static program = PROGRAM;
  static demoAgent = path.join(path.dirname(PROGRAM), 'oriel-demo-agent');

  constructor(flags = []) {
    this.flags = flags;
    fs.mkdirSync(this.workspace);
  }

  static start(flags) {
    return new this(flags).start();
  }

  get mcpUrl() {
    return `${this.url}/mcp`;
  }

  get log() {
    return this.#earlierLog + (this.#process?.log ?? '');
  }

  get #context() {
    return { cwd: this.dir, env: { PATH: process.env.PATH, HOME: this.dir } };
  }

  // Resolves once the server accepts requests. A second start uses the same port.
  async start(moreFlags = []) {
    const listen = `127.0.0.1:${this.url ? new URL(this.url).port : 0}`;
    const args = ['serve', '--listen', listen, '--threads', '2', '--data-dir', this.dataDir, ...this.flags, ...moreFlags];
    const started = await ServerProcess.start(PROGRAM, args, { ready: READY, ...this.#context });
    this.#earlierLog = this.log;
    this.#process = started;
    [, this.url] = started.ready;
    return this;
  }

  // Replaces the running server by another one. Asserts that it exits cleanly.
  async takeOver() {
    const old = this.#process;
    await this.start(['--takeover']);
    assert.equal(await old.exited(), 0, old.log);
  }

  // Runs another command on the same data directory and returns its standard output.
  run(...args) {
    return execFileSync(PROGRAM, [...args, '--data-dir', this.dataDir], { ...this.#context, encoding: 'utf8', stdio: 'pipe' });
  }

  kill() {
    return this.#process.kill();
  }

  // Resolves with its exit code when it has ended by itself.
  exited() {
    return this.#process.exited();
  }

  freeze() {
    this.#process.signal('SIGSTOP');
  }

  thaw() {
    this.#process.signal('SIGCONT');
  }

  // The process ids of its running demo agents.
  agents() {
    return processesWith(this.dir).filter((pid) => {
      try {
        return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('oriel-demo-agent');
      } catch {
        return false; // it has exited
      }
    });
  }

  // Removes the data of a server that does not run.
  wipe() {
    fs.rmSync(this.dataDir, { recursive: true });
  }

  // Asserts a clean exit: code 0, no sanitizer report, no process left behind.
  async stop() {
    assert.equal(await this.#process.stop(), 0, `the server did not exit cleanly:\n${this.log}`);
    assert.doesNotMatch(this.log, /Sanitizer|runtime error/);
    await until(() => processesWith(this.dir).length === 0, 'every process that the server started has exited');
  }

  async remove() {
    await this.stop();
    fs.rmSync(this.dir, { recursive: true, maxRetries: 5 });
  }
}
