// A coding CLI in a home of its own, with Oriel as its MCP server and a scripted model (tests/agents/model/script.mjs).

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readConversation } from '../../../agents/model/apis.mjs';
import { isSearchResult } from '../../../agents/model/mcp_tool.mjs';
import { ServerProcess } from '../../../support/process.mjs';
import { ROOT, Server } from '../../../support/server.mjs';
import { commandOf } from './clis.mjs';

const MODEL = path.join(ROOT, 'tests/agents/model_server.mjs');
const PATIENCE = 200_000; // ms for a run

// Resolves with the exit code, or the name of the signal that ended the program.
function run([program, ...args], { input, ...options }) {
  const child = spawn(program, args, { ...options, stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'], detached: true });
  child.stdin?.end(input);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => { output += bytes; });
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), PATIENCE);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ exit: code ?? signal, output });
    });
  });
}

export class CliRun {
  #cli;
  #home = fs.mkdtempSync(path.join(os.tmpdir(), 'oriel-cli-'));
  #requests = path.join(this.#home, 'requests.jsonl');
  #model;
  #env;

  // `isStdio`: through `oriel mcp`. `token`: none if the server trusts its user.
  static async start(cli, server, { isStdio = false, token } = {}) {
    const started = new this();
    started.#cli = cli;
    started.#model = await ServerProcess.start(process.execPath, [MODEL, started.#requests], { ready: /^(http:\S+)\n/ });
    const [, model] = started.#model.ready;
    started.#env = { PATH: process.env.PATH, HOME: started.#home, ...cli.prepare(started.#home, model), ...(token && { ORIEL_TOKEN: token }) };
    const words = ['mcp', '--setup', cli.setup, '--write', '--url', server.url, ...(isStdio ? ['--stdio'] : [])];
    const { exit, output } = await run([Server.program, ...words], { env: started.#env });
    if (exit !== 0) throw new Error(`oriel ${words.join(' ')}: ${output}`);
    return started;
  }

  file(name) {
    return path.join(this.#home, name);
  }

  // Runs the CLI with a prompt. `results`: what its model got from the tools, in order.
  async ask(prompt) {
    fs.writeFileSync(this.#requests, '');
    fs.mkdirSync(this.file('work'), { recursive: true });
    const words = [...commandOf(this.#cli), ...this.#cli.words(prompt)];
    const { exit, output } = await run(words, { env: this.#env, cwd: this.file('work'), input: this.#cli.takesInput ? prompt : undefined });
    return { exit, output, results: this.results() };
  }

  // What the model has got so far, in its longest conversation: CLIs also ask for titles and summaries.
  results() {
    const lines = fs.readFileSync(this.#requests, 'utf8').split('\n');
    const requests = lines.slice(0, -1).map((line) => JSON.parse(line)); // the last one is not complete
    const all = requests.filter(({ api }) => api).map(({ api, body }) => readConversation(api, body)
      .filter((entry) => entry.role === 'tool' && !isSearchResult(entry)).map(({ text }) => text));
    return all.toSorted((a, b) => a.length - b.length).at(-1) ?? [];
  }

  async remove() {
    await this.#model.stop();
    fs.rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 });
  }
}
