// `oriel serve` with a home, data, a workspace and transcripts of its own; it can be killed and started again on the same port.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './until.mjs';

export const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../..');
export const PROGRAM = [process.env.ORIEL_PROGRAM, path.join(ROOT, 'build/dev/oriel'), path.join(ROOT, 'build/release/oriel')].find((file) => file && fs.existsSync(file));

export class Server {
  #child;
  #flags;
  #ended;
  log = '';
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'oriel-page-'));
  workspace = path.join(this.dir, 'shop');
  transcripts = path.join(this.dir, 'transcripts');

  constructor(flags = [], { pace = 2 } = {}) {
    this.#flags = flags;
    for (const folder of [this.workspace, this.transcripts]) fs.mkdirSync(folder);
    fs.writeFileSync(path.join(this.workspace, 'README.md'), '# Shop\n\nA place that never sleeps.\n');
    const agent = path.join(path.dirname(PROGRAM), 'oriel-demo-agent');
    const config = `[agents.demo]\ncommand = ["${agent}", "--pace", "${pace}"]\nhome = "${this.dir}"\n`;
    fs.writeFileSync(path.join(this.dir, 'oriel.toml'), config);
  }

  async start() {
    const listen = this.port ? `127.0.0.1:${this.port}` : '127.0.0.1:0';
    const options = ['--listen', listen, '--config', 'oriel.toml', '--data-dir', 'data', '--transcript-roots', this.transcripts, '--threads', '2', '--log-level', 'warn'];
    this.#child = spawn(PROGRAM, ['serve', ...options, ...this.#flags], { cwd: this.dir, env: { PATH: process.env.PATH, HOME: this.dir }, stdio: ['ignore', 'pipe', 'pipe'] });
    const child = this.#child;
    let said = '';
    child.stdout.on('data', (bytes) => { said += bytes; });
    child.stderr.on('data', (bytes) => { this.log += bytes; });
    this.#ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)));
    process.on('exit', () => child.kill('SIGKILL'));
    await until(() => /ready: \S+/.test(said) || child.exitCode !== null, 'the server is ready');
    this.port = Number(/:(\d+)\/?\s/.exec(said)?.[1]);
    if (!this.port) throw new Error(`the server did not start:\n${said}${this.log}`);
    return this;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  async kill() {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  async stop() {
    this.#child.kill('SIGTERM');
    const late = setTimeout(() => this.#child.kill('SIGKILL'), 20_000);
    await this.#ended;
    clearTimeout(late);
    fs.rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }

  async get(target) {
    const response = await fetch(this.url + target);
    return response.json();
  }

  async post(target, body = {}) {
    const response = await fetch(this.url + target, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${target}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }

  // A session of the demo agent; answers its id.
  async session(message, options = {}) {
    const { session } = await this.post('/api/sessions', { workspace: this.workspace, project_id: 'shop', message, title: message.slice(0, 60), ...options });
    return session.session_id;
  }

  say(id, message) {
    return this.post(`/api/sessions/${id}/messages`, { message });
  }

  rested(id) {
    return until(async () => {
      const session = await this.get(`/api/sessions/${id}`);
      return session.status !== 'running' && session.queued === 0 && session.turns > 0 && session;
    }, `${id} is at rest`);
  }

  // A hook of an agent that somebody runs elsewhere.
  hook(session, kind, fields = {}) {
    const name = kind.split('-').map((word) => word[0].toUpperCase() + word.slice(1)).join('');
    return this.post(`/api/hooks/${kind}`, {
      session_id: session, transcript_path: path.join(this.transcripts, `${session}.jsonl`), cwd: this.workspace, hook_event_name: name, ...fields,
    });
  }

  transcribe(session, role, uuid, timestamp, text) {
    const content = role === 'user' ? text : [{ type: 'text', text }];
    const line = JSON.stringify({ type: role, uuid, timestamp, sessionId: session, cwd: this.workspace, message: { role, content, stop_reason: role === 'user' ? undefined : 'end_turn' } });
    fs.appendFileSync(path.join(this.transcripts, `${session}.jsonl`), `${line}\n`);
  }

  async journal(id) {
    const events = [];
    for (let since = -1; ;) {
      const page = await this.get(`/api/sessions/${encodeURIComponent(id)}/events?since_index=${since}&limit=5000`);
      events.push(...page.events);
      if (!page.has_more) return events;
      since = page.last_index;
    }
  }
}
