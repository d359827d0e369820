// `oriel serve` with a data directory that outlives it, so that it can be killed and started again.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { until } from '../../mcp-clients/lib/until.mjs';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const PROGRAM = path.resolve(ROOT, process.env.ORIEL_PROGRAM ?? 'build/dev/oriel');
const PATIENCE = 60_000; // ms; on a disk that others write to, too
const READY = /^Oriel is ready: (http:\S+)\n/;

export class Oriel {
  #flags;
  #child;
  #ended;
  #log = '';

  // Resolves once it can be called.
  static async start(flags = []) {
    const oriel = new Oriel();
    oriel.dir = fs.mkdtempSync(path.join(os.tmpdir(), 'oriel-client-'));
    oriel.dataDir = path.join(oriel.dir, 'data');
    oriel.workspace = path.join(oriel.dir, 'workspace');
    fs.mkdirSync(oriel.workspace);
    oriel.#flags = flags;
    await oriel.#serve();
    return oriel;
  }

  get #place() {
    return { cwd: this.dir, env: { PATH: process.env.PATH, HOME: this.dir } };
  }

  // Another command on the same data; answers what it says.
  run(...args) {
    return execFileSync(PROGRAM, [...args, '--data-dir', this.dataDir], { ...this.#place, encoding: 'utf8', stdio: 'pipe' });
  }

  // Again on the same port, for those who know it.
  async #serve() {
    const listen = `127.0.0.1:${this.url ? new URL(this.url).port : 0}`;
    const args = ['serve', '--listen', listen, '--threads', '2', '--data-dir', this.dataDir, ...this.#flags];
    const child = spawn(PROGRAM, args, { ...this.#place, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    child.stdout.on('data', (bytes) => { said += bytes; });
    child.stderr.on('data', (bytes) => { this.#log += bytes; });
    this.#child = child;
    this.#ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)));
    process.on('exit', () => child.kill('SIGKILL'));
    await until(() => READY.test(said) || child.exitCode !== null, 'the server is ready', PATIENCE).catch(() => {});
    assert.match(said, READY, `the server is not ready:\n${said}${this.#log}`);
    this.url = READY.exec(said)[1];
  }

  async kill() {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  async stop() {
    this.#child.kill('SIGTERM');
    const late = setTimeout(() => this.#child.kill('SIGKILL'), 20_000);
    assert.equal(await this.#ended, 0, `the server did not end well:\n${this.#log}`);
    clearTimeout(late);
    assert.doesNotMatch(this.#log, /Sanitizer|runtime error/);
  }

  restart() {
    return this.#serve();
  }

  async remove() {
    await this.stop();
    fs.rmSync(this.dir, { recursive: true });
  }
}
