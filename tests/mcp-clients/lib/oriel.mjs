// `oriel serve` on a free port of loopback, with a home, a data directory and a workspace of its own.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from './packages.mjs';
import { until } from './until.mjs';

const PROGRAM = path.join(ROOT, 'build/dev/oriel');
const READY = /^Oriel is ready: (http:\S+)\n/;

// What runs with that text in its environment, as the server and all that it starts do.
function processesWith(text) {
  return fs.readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return fs.readFileSync(`/proc/${pid}/environ`).includes(text);
    } catch {
      return false; // ended meanwhile, or not ours
    }
  });
}

// Ready to be called once it resolves. stop() proves a clean end: exit code 0, no sanitizer's complaint, no process left.
export async function startOriel(flags = []) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'oriel-clients-'));
  const workspace = path.join(dir, 'workspace');
  fs.mkdirSync(workspace);
  const child = spawn(PROGRAM, ['serve', '--listen', '127.0.0.1:0', '--threads', '2', '--data-dir', path.join(dir, 'data'), ...flags], {
    cwd: dir,
    env: { PATH: process.env.PATH, HOME: dir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let log = '';
  child.stdout.on('data', (bytes) => { said += bytes; });
  child.stderr.on('data', (bytes) => { log += bytes; });
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)));
  process.on('exit', () => child.kill('SIGKILL'));
  await until(() => READY.test(said) || child.exitCode !== null, 'the server is ready').catch(() => {});
  assert.match(said, READY, `the server is not ready:\n${said}${log}`);

  return {
    url: `${READY.exec(said)[1]}/mcp`,
    workspace,
    log: () => log,
    async stop() {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 20_000);
      assert.equal(await ended, 0, `the server did not end well:\n${log}`);
      clearTimeout(late);
      assert.doesNotMatch(log, /Sanitizer|runtime error/);
      await until(() => processesWith(dir).length === 0, 'nothing that it started is left');
      fs.rmSync(dir, { recursive: true });
    },
  };
}
