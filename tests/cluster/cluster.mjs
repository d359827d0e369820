// Several nodes and their NATS server, all on loopback.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { openStream, OrielApi } from '../../build/web/oriel.js';
import { NatsServer } from '../support/nats.mjs';
import { Server } from '../support/server.mjs';
import { until } from '../support/until.mjs';

const SOON = 60_000; // ms; the machine may be busy

export class Cluster {
  nats;
  nodes = [];
  isRemoved = false;

  // `nats` is a NATS server, or several.
  static async start(names, flags = [], nats = undefined) {
    const cluster = new Cluster();
    cluster.nats = nats ?? await NatsServer.start();
    for (const name of names) await cluster.add(name, flags);
    return cluster;
  }

  // Starts another node, which is ready when this resolves.
  async add(name, flags = []) {
    const server = new Server(['--cluster', this.nats.url, '--node', name, '--node-timeout', '3s', ...flags]);
    return this.join(name, server);
  }

  // The same with a server, whose data directory may have a journal.
  async join(name, server) {
    const node = { name, server, api: null };
    this.nodes.push(node);
    await this.start(node);
    return node;
  }

  async start(node) {
    await node.server.start();
    node.api = new OrielApi({ baseUrl: node.server.url });
    await until(async () => (await fetch(`${node.server.url}/ready`)).ok, () => `${node.name} is ready:\n${node.server.log}`, SOON);
  }

  async remove() {
    this.isRemoved = true;
    const ends = await Promise.allSettled(this.nodes.map(({ server }) => server.remove()));
    await this.nats.remove();
    for (const { reason } of ends) if (reason) throw reason;
  }
}

// Resolves when the session is in this state, as this node shows it.
export function reaches(node, id, state) {
  const look = async () => {
    const session = await node.api.session(id).catch((failure) => ({ state: String(failure) }));
    last = session.state;
    return session.state === state;
  };
  let last;
  return until(look, () => `${node.name} shows ${id} as ${state}, not ${last}`, SOON);
}

// All events of a session, from its first, as this node holds them.
export async function eventsOf(node, id) {
  const events = [];
  while (true) {
    const page = await node.api.events(id, { since_index: events.length - 1, limit: 500 });
    events.push(...page.events);
    if (!page.has_more) return events;
  }
}

// All events that were published with this session id, as this node delivers them, once there are `count` of them.
export async function publishedOn(node, sessionId, count) {
  const events = [];
  const stream = openStream({ baseUrl: node.server.url, after: '0', sessionIds: [sessionId], shared: false });
  stream.onEvents((batch) => events.push(...batch));
  try {
    await until(() => events.length >= count, () => `${node.name} delivers ${count} events, not ${events.length}`);
  } finally {
    stream.close();
  }
  return events;
}

// A turn with these files, by name.
export function formOf(id, files) {
  const form = new FormData();
  form.append('session_id', id);
  for (const [name, bytes] of Object.entries(files)) form.append('file', new File([bytes], name, { type: 'application/octet-stream' }));
  return form;
}

// The files below the node's directory of uploads.
export function uploadsOf({ server }) {
  const root = path.join(server.dataDir, 'uploads');
  if (!fs.existsSync(root)) return [];
  return fs.readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map(({ name }) => name);
}

// Sends a hook as `oriel hook` does, and returns the session of its agent.
export async function postHook(node, kind, body) {
  const response = await fetch(`${node.server.url}/api/hooks/${kind}`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
  });
  assert.equal(response.status, 202, await response.clone().text());
  return (await response.json()).session_id;
}

// Creates a session, again while an earlier request does.
export async function startOnce(node, body) {
  return until(() => node.api.start(body).catch((failure) => {
    if (failure.code !== 'in_progress') throw failure;
  }), 'the session is created');
}

// The answer of an MCP tool, asked over a session of its own.
export async function callTool(node, name, args) {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const post = async (message) => {
    const response = await fetch(node.server.mcpUrl, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
    const text = await response.text();
    headers['Mcp-Session-Id'] ??= response.headers.get('Mcp-Session-Id');
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream');
    const json = isStream ? text.match(/^data: (\{.*)$/gm).at(-1).slice('data: '.length) : text;
    return json && JSON.parse(json);
  };
  const clientInfo = { name: 'test', version: '1' };
  await post({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  await post({ method: 'notifications/initialized' });
  return post({ id: 2, method: 'tools/call', params: { name, arguments: args } });
}
