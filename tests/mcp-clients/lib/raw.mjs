// A client of MCP 2025-11-25 without an SDK, for requests whose headers a test chooses.

import assert from 'node:assert/strict';

// The events of an SSE response as they arrive.
async function* eventsOf(response) {
  let text = '';
  for await (const bytes of response.body.pipeThrough(new TextDecoderStream())) {
    text += bytes;
    const events = text.split('\n\n');
    text = events.pop();
    for (const event of events) {
      const field = (name) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(event)?.[1];
      yield { id: field('id'), retry: field('retry'), data: field('data') };
    }
  }
}

// `credentials` are headers of every request.
export async function openRaw(url, credentials = {}) {
  const controllers = new Set();
  let lastId = 0;
  const common = { 'mcp-protocol-version': '2025-11-25', ...credentials };

  const send = async (method, headers, body) => {
    const controller = new AbortController();
    controllers.add(controller);
    const response = await fetch(url, { method, headers: { ...common, ...headers }, body, signal: controller.signal });
    const events = eventsOf(response);
    // The JSON-RPC response, which is the last event if the server answers with a stream.
    const json = async () => {
      if (!response.headers.get('content-type').startsWith('text/event-stream')) return response.json();
      const read = await readUntil(events, () => false);
      return JSON.parse(read.at(-1).data);
    };
    return { response, status: response.status, events, json, leave: () => controller.abort() };
  };
  const post = (message) => send('POST',
    { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }, JSON.stringify({ jsonrpc: '2.0', ...message }));
  const request = (method, params) => post({ id: ++lastId, method, params });

  const hello = await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } });
  assert.equal(hello.status, 200);
  common['mcp-session-id'] = hello.response.headers.get('mcp-session-id');
  await hello.json();
  assert.equal((await post({ method: 'notifications/initialized' })).status, 202);

  return {
    request,
    // Sends what follows to another node of the cluster.
    moveTo(other) { url = other; },
    tool: (name, args) => request('tools/call', { name, arguments: args }),
    async setLevel(level) { await (await request('logging/setLevel', { level })).json(); },
    get: (lastEventId) => send('GET', { accept: 'text/event-stream', ...(lastEventId && { 'last-event-id': lastEventId }) }),
    async end() {
      await send('DELETE', {});
      for (const controller of controllers) controller.abort();
    },
  };
}

// Reads until `isLast` and leaves the stream open.
export async function readUntil(events, isLast) {
  const read = [];
  while (true) {
    const { value, done } = await events.next();
    if (done) return read;
    read.push(value);
    if (isLast(value)) return read;
  }
}
