// A task that is silent for longer than a client waits: progress keeps the call alive.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connect } from './lib/clients.mjs';
import { Server } from '../support/server.mjs';

const ERAS = [
  { name: 'sdk 1.x', sdk: 'sdk 1.x', mode: 'legacy' },
  { name: 'client 2.x', sdk: 'client 2.x', mode: 'legacy' },
  { name: 'client 2.x of 2026-07-28', sdk: 'client 2.x', mode: 'auto' },
];

let server;
before(async () => { server = await Server.start(['--mcp-progress-interval', '200ms']); });
after(() => server.remove());

for (const { name, sdk, mode } of ERAS) {
  describe(name, () => {
    let client;
    before(async () => { client = await connect(sdk, server.mcpUrl, { mode }); });
    after(() => client.end());

    it('a client whose timeout progress resets gets the result of a silent task', async () => {
      const words = [];
      const { status } = await client.call('session_message', { message: 'slow 6s list', wait: true, workspace: server.workspace },
        { timeout: 3000, resetTimeoutOnProgress: true, onprogress: ({ message }) => words.push(message) });
      assert.equal(status, 'completed');
      assert.ok(words.some((text) => /^the agent is working, \d+ s$/.test(text)), words.join('; '));
      assert.ok(words.includes('running list_files .'), words.join('; '));
    });
  });
}
