// One interface for both SDKs: a client that keeps every log message it receives.

import assert from 'node:assert/strict';
import { v1, v2 } from './packages.mjs';

const CLIENT_INFO = { name: 'oriel-tests', version: '1.0' };
// The defaults give up for good after two failures in a row; a server that is restarted on a busy machine is away for seconds.
const RECONNECTION = { initialReconnectionDelay: 100, maxReconnectionDelay: 1000, reconnectionDelayGrowFactor: 1.5, maxRetries: 200 };
const TIMEOUT = 30_000; // ms per call

export const SESSION_SDKS = ['sdk 1.x', 'client 2.x'];

function makeClient(sdk, options) {
  const { elicit, mode, notified } = options;
  const capabilities = elicit ? { elicitation: {} } : {};
  if (sdk === 'sdk 1.x') {
    const client = new v1.Client(CLIENT_INFO, { capabilities });
    client.setNotificationHandler(v1.LoggingMessageNotificationSchema, notified);
    if (elicit) client.setRequestHandler(v1.ElicitRequestSchema, elicit);
    return { client, Transport: v1.StreamableHTTPClientTransport, call: (params, o) => client.callTool(params, undefined, o) };
  }
  const client = new v2.Client(CLIENT_INFO, { capabilities, versionNegotiation: { mode } });
  client.setNotificationHandler('notifications/message', notified);
  if (elicit) client.setRequestHandler('elicitation/create', elicit);
  return { client, Transport: v2.StreamableHTTPClientTransport, call: (params, o) => client.callTool(params, o) };
}

// `level`: for logging/setLevel, which is not called without one. `elicit`: answers the server's forms. `mode`: version
// negotiation of client 2.x.
export async function connect(sdk, url, { level, elicit, mode = 'legacy' } = {}) {
  const messages = []; // params of notifications/message, in order of arrival
  const errors = []; // reported by the SDK, recovered or not
  const { client, Transport, call } = makeClient(sdk, { elicit, mode, notified: ({ params }) => { messages.push(params); } });
  client.onerror = (error) => errors.push(error.message);
  const transport = new Transport(new URL(url), { reconnectionOptions: RECONNECTION });
  await client.connect(transport);
  if (level) await client.setLoggingLevel(level);

  return {
    sdk,
    client,
    messages,
    errors,
    indices: () => messages.map((message) => message._meta['oriel/index']),
    // The result of a tool; fails if it is an error.
    async callRaw(name, args = {}, { meta, ...options } = {}) {
      const params = { name, arguments: args };
      if (meta) params._meta = meta;
      const result = await call(params, { timeout: TIMEOUT, ...options });
      assert.ok(!result.isError, `${name}: ${JSON.stringify(result.content)}`);
      return result;
    },
    async call(name, args, options) {
      return (await this.callRaw(name, args, options)).structuredContent;
    },
    // Ends the MCP session as well.
    async end() {
      if (transport.sessionId) await transport.terminateSession();
      await client.close();
    },
    // Like a killed program: the server gets no notice.
    vanish: () => client.close(),
  };
}
