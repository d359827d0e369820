// Coding CLIs as MCP clients, over HTTP and through `oriel mcp`, set up by `oriel mcp --setup`. A scripted model decides what they
// call; what the model gets from the tools is checked.
//   ORIEL_CLIS=codex,gemini   only these, by their names in `oriel mcp --setup`

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server } from '../../support/server.mjs';
import { until } from '../../support/until.mjs';
import { CliRun } from './lib/cli_run.mjs';
import { CLIS } from './lib/clis.mjs';

const wanted = process.env.ORIEL_CLIS?.split(',');
const clis = CLIS.filter((cli) => wanted?.includes(cli.setup) ?? true);
const call = (tool, args) => `[[call:${tool} ${JSON.stringify(args)}]]`;
const CLI_START = 100_000; // ms
const RETRY = '5s'; // clients on the TypeScript SDK give up on a call if the server is not back after twice this time
const SAME = { session_id: '$session_id' };

for (const cli of clis) {
  for (const isStdio of [false, true]) {
    describe(`${cli.name} over ${isStdio ? 'stdio' : 'HTTP'}`, () => {
      let server;
      let client;
      before(async () => {
        server = await Server.start(['--mcp-retry', RETRY]);
        client = await CliRun.start(cli, server, { isStdio });
      });
      after(async () => {
        await client.remove();
        await server.remove();
      });

      async function ask(...directives) {
        const { exit, output, results } = await client.ask(`Please follow these: ${directives.join(' ')}`);
        assert.equal(exit, 0, output);
        return results;
      }

      const sessions = async () => (await (await fetch(`${server.url}/api/sessions`)).json()).sessions;

      it('a message returns at once, and with wait: true when its task has ended', async () => {
        const results = await ask(
          call('session_message', { message: 'slow 60s help', workspace: server.workspace }),
          call('session_cancel', SAME),
          call('session_message', { ...SAME, message: 'list', wait: true }));
        assert.equal(results.length, 3);
        assert.match(results[0], /"?queued\\?"?:\s*\d/);
        assert.match(results[2], /"?status\\?"?:\s*\\?"?completed/);
      });

      it('a permission is returned to the model, which answers it', async () => {
        const results = await ask(
          call('session_message', { message: 'write asked.txt: hello', workspace: server.workspace, permissions: 'ask', wait: true }),
          call('permission_answer', { ...SAME, permission_id: '$permission_id', decision: 'allow' }),
          call('session_events', { ...SAME, types: ['completion'], wait_ms: 20_000 }));
        assert.match(results[0], /awaiting_input/);
        assert.match(results[2], /completion/);
        assert.ok(fs.existsSync(path.join(server.workspace, 'asked.txt')));
        fs.rmSync(path.join(server.workspace, 'asked.txt'));
      });

      it('R-DURABLE-1 after a kill -9 the next call works', async () => {
        const isBack = client.file('is-back');
        const asking = ask(
          call('session_message', { message: 'slow 2s list', workspace: server.workspace }),
          `[[until:${isBack}]]`,
          call('session_events', { ...SAME, types: ['completion'], wait_ms: 20_000 }),
          call('session_message', { ...SAME, message: 'help', wait: true }));
        await until(() => client.results().length === 1, 'the message was sent', CLI_START);
        await sleep(cli.settleTime ?? 0);
        await server.kill();
        await server.start();
        await sleep(cli.reconnectTime ?? 0);
        fs.writeFileSync(isBack, '');
        const results = await asking;
        assert.match(results[1], /completion/);
        assert.match(results[2], /"?status\\?"?:\s*\\?"?completed/);
      });

      // Restarts the server during a call that waits: the call ends with the result of its task, and the next call works.
      async function interruptedBy(test, stop, reason) {
        const isBack = client.file(`is-back-after-${stop.name}`);
        const before = (await sessions()).length;
        const asking = ask(
          call('session_message', { message: 'slow 3s list', workspace: server.workspace, wait: true }),
          `[[until:${isBack}]]`,
          call('session_list', {}));
        const isRunning = async () => {
          const all = await sessions();
          return all.length > before && all.some(({ state }) => state === 'processing');
        };
        await until(isRunning, 'the task is running', CLI_START);
        await sleep(cli.settleTime ?? 0);
        await stop();
        await server.start();
        await sleep(cli.reconnectTime ?? 0);
        fs.writeFileSync(isBack, '');
        const results = await asking;
        test.diagnostic(`the model got: ${results[0].slice(0, 300)}`);
        assert.equal(results.length, 2);
        assert.match(results[0], reason);
        assert.match(results[1], /session_id/);
      }

      it('R-DURABLE-3 a call that a planned restart interrupts ends with its result, and the next call works', async (test) => {
        await interruptedBy(test, async function planned() { await server.stop(); }, /Oriel was stopped while the agent worked/);
      });

      it('R-DURABLE-3 a call that a kill -9 interrupts ends with its result, and the next call works', async (test) => {
        await interruptedBy(test, async function kill() { await server.kill(); }, /Oriel ended while the agent worked/);
      });

      it('R-AUTH-1 with a token it can call, and without one it does not try to register', async (test) => {
        const secured = await Server.start(['--local-trust', 'none']);
        test.after(() => secured.remove());
        const token = secured.run('token', 'create', 'cli').trim();
        const headers = { Authorization: `Bearer ${token}` };
        await until(async () => (await fetch(`${secured.url}/api/sessions`, { headers })).ok, 'the server knows the token');
        const listed = async (options) => {
          const run = await CliRun.start(cli, secured, { isStdio, ...options });
          test.after(() => run.remove());
          return run.ask(`Please ${call('session_list', {})}`);
        };
        const { results } = await listed({ token });
        const without = await listed();
        assert.match(results[0], /sessions/);
        assert.doesNotMatch(without.output, /dynamic client registration/i);
        assert.doesNotMatch(without.results[0] ?? '', /"count"/);
      });
    });
  }
}
