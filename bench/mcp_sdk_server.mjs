// A server of the TypeScript SDK with one tool that returns a constant, for comparison with Oriel.
//   node mcp_sdk_server.mjs MODULES PORT [json]     json: responds with JSON instead of streams, the SDK's default

import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, port, mode] = process.argv.slice(2);
const require = createRequire(join(modules, 'package.json'));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { McpServer } = await load('@modelcontextprotocol/sdk/server/mcp.js');
const { StreamableHTTPServerTransport } = await load('@modelcontextprotocol/sdk/server/streamableHttp.js');

const transports = new Map();

async function beginSession() {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: mode === 'json',
    onsessioninitialized: (id) => transports.set(id, transport),
  });
  const server = new McpServer({ name: 'sdk', version: '1' });
  server.registerTool('test_simple_text', { description: 'returns a text' }, () => ({
    content: [{ type: 'text', text: 'This is a simple text response for testing.' }],
  }));
  await server.connect(transport);
  return transport;
}

createServer(async (request, response) => {
  const known = transports.get(request.headers['mcp-session-id']);
  const transport = known ?? (await beginSession());
  await transport.handleRequest(request, response);
}).listen(Number(port), '127.0.0.1');
