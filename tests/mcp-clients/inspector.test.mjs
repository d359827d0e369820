// The command line of MCP Inspector, in both protocol eras.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { INSTALLED } from './lib/packages.mjs';
import { Server } from '../support/server.mjs';

const INSPECTOR = path.join(INSTALLED, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const run = promisify(execFile);

let server;
let home;
before(async () => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'oriel-inspector-'));
  server = await Server.start();
});
after(async () => {
  await server.remove();
  fs.rmSync(home, { recursive: true });
});

async function inspect(era, ...args) {
  const command = [INSPECTOR, '--cli', server.mcpUrl, '--protocol-era', era, '--format', 'json', '--quiet', ...args];
  const { stdout } = await run(process.execPath, command, { env: { PATH: process.env.PATH, HOME: home }, timeout: 30_000 });
  return JSON.parse(stdout).result;
}

for (const era of ['legacy', 'modern']) {
  describe(`Inspector, era ${era}`, () => {
    it('lists the tools and accepts their schemas', async () => {
      const { tools } = await inspect(era, '--method', 'tools/list', '--strict');
      assert.ok(tools.some((tool) => tool.name === 'session_message'));
      assert.ok(tools.every((tool) => tool.description.length > 0));
    });

    it('calls agent_list', async () => {
      const { structuredContent } = await inspect(era, '--method', 'tools/call', '--tool-name', 'agent_list');
      assert.ok(structuredContent.agents.some((agent) => agent.name === 'demo' && agent.available));
    });

    it('calls session_list with arguments', async () => {
      const { structuredContent } = await inspect(era, '--method', 'tools/call', '--tool-name', 'session_list', '--tool-arg', 'limit=5');
      assert.deepEqual(structuredContent.sessions, []);
    });
  });
}
