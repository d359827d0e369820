// A server with the demo agent and a folder of transcripts, and calls to its REST API.

import fs from 'node:fs';
import path from 'node:path';
import { Server } from '../../support/server.mjs';
import { until } from '../../support/until.mjs';

const README = '# Shop\n\nA place that never sleeps.\n';

export class PageServer extends Server {
  workspace = path.join(this.dir, 'shop');
  transcripts = path.join(this.dir, 'transcripts');

  // `pace`: of the demo agent, ms.
  constructor(flags = [], { pace = 2 } = {}) {
    super(flags);
    this.flags = ['--config', 'oriel.toml', '--transcript-roots', this.transcripts, '--log-level', 'warn', ...flags];
    for (const folder of [this.workspace, this.transcripts]) fs.mkdirSync(folder);
    fs.writeFileSync(path.join(this.workspace, 'README.md'), README);
    const agent = `[agents.demo]\ncommand = ["${Server.demoAgent}", "--pace", "${pace}"]\nhome = "${this.dir}"\n`;
    fs.writeFileSync(path.join(this.dir, 'oriel.toml'), agent);
  }

  async get(target) {
    const response = await fetch(this.url + target);
    return response.json();
  }

  async post(target, body = {}) {
    const response = await fetch(this.url + target, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
    const result = await response.json();
    if (!response.ok) throw new Error(`${target}: ${response.status} ${JSON.stringify(result)}`);
    return result;
  }

  // Starts a session of the demo agent and returns its id.
  async startSession(message, options = {}) {
    const { session } = await this.post('/api/sessions', { workspace: this.workspace, project_id: 'shop', message, title: message.slice(0, 60), ...options });
    return session.session_id;
  }

  sendMessage(id, message) {
    return this.post(`/api/sessions/${id}/messages`, { message });
  }

  // Waits until no task of the session runs or is queued.
  idle(id) {
    return until(async () => {
      const session = await this.get(`/api/sessions/${id}`);
      return session.status !== 'running' && session.queued === 0 && session.turns > 0 && session;
    }, `${id} is idle`);
  }

  // Reports a hook of an observed agent.
  hook(session, kind, fields = {}) {
    const name = kind.split('-').map((word) => word[0].toUpperCase() + word.slice(1)).join('');
    return this.post(`/api/hooks/${kind}`, {
      session_id: session, transcript_path: path.join(this.transcripts, `${session}.jsonl`), cwd: this.workspace, hook_event_name: name, ...fields,
    });
  }

  appendTranscript(session, role, uuid, timestamp, text) {
    const content = role === 'user' ? text : [{ type: 'text', text }];
    const line = JSON.stringify({ type: role, uuid, timestamp, sessionId: session, cwd: this.workspace, message: { role, content, stop_reason: role === 'user' ? undefined : 'end_turn' } });
    fs.appendFileSync(path.join(this.transcripts, `${session}.jsonl`), `${line}\n`);
  }

  // All stored events of a session.
  async events(id) {
    const events = [];
    for (let since = -1; ;) {
      const page = await this.get(`/api/sessions/${encodeURIComponent(id)}/events?since_index=${since}&limit=5000`);
      events.push(...page.events);
      if (!page.has_more) return events;
      since = page.last_index;
    }
  }
}
