// A child process that serves: started until it prints a line, stopped with SIGTERM, killed when the tests exit.

import { spawn } from 'node:child_process';
import { until } from './until.mjs';

const START_TIMEOUT = 60_000; // ms; a busy disk delays the first sync
const STOP_TIMEOUT = 20_000;

export class ServerProcess {
  stdout = '';
  log = ''; // standard error
  ready; // the match in stdout
  #child;
  #exit;

  // Resolves once the standard output matches `ready`.
  static async start(program, args, { ready, ...options }) {
    const started = new ServerProcess(program, args, options);
    const isOver = () => ready.test(started.stdout) || started.#child.exitCode !== null;
    await until(isOver, 'the server is ready', START_TIMEOUT).catch(() => {});
    started.ready = ready.exec(started.stdout);
    if (started.ready) return started;
    await started.kill();
    throw new Error(`${program} did not start (${await started.#exit}):\n${started.stdout}${started.log}`);
  }

  constructor(program, args, { stderr = 'pipe', ...options }) {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', stderr] });
    child.stdout.on('data', (bytes) => { this.stdout += bytes; });
    child.stderr?.on('data', (bytes) => { this.log += bytes; });
    const killAtExit = () => child.kill('SIGKILL');
    process.on('exit', killAtExit);
    this.#child = child;
    this.#exit = new Promise((resolve) => child.on('exit', (code, signal) => {
      process.off('exit', killAtExit);
      resolve(code ?? signal);
    }));
  }

  // Resolves with the exit code, or the name of the signal that ended it.
  exited() {
    return this.#exit;
  }

  signal(name) {
    this.#child.kill(name);
  }

  async kill() {
    this.#child.kill('SIGKILL');
    await this.#exit;
  }

  // Resolves as exited().
  async stop() {
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_TIMEOUT);
    const exit = await this.#exit;
    clearTimeout(timer);
    return exit;
  }
}
