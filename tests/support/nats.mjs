// Real nats-servers with JetStream on free ports of loopback. They can be killed, frozen and started again on the same data.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { until } from './until.mjs';

export async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function accepts(port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => { socket.destroy(); resolve(true); });
    socket.once('error', () => resolve(false));
  });
}

export class NatsServer {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'oriel-nats-'));
  port;
  log = '';
  #flags;
  #child;
  #exit;

  constructor(port, flags) {
    this.port = port;
    this.#flags = flags;
  }

  static async start(flags = []) {
    return new NatsServer(await freePort(), flags).restart();
  }

  get url() {
    return `nats://127.0.0.1:${this.port}`;
  }

  async restart() {
    const args = ['-a', '127.0.0.1', '-p', String(this.port), '-js', '-sd', this.dir, ...this.#flags];
    const child = spawn('nats-server', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.on('data', (bytes) => { this.log += bytes; });
    const killAtExit = () => child.kill('SIGKILL');
    process.on('exit', killAtExit);
    this.#child = child;
    this.#exit = new Promise((resolve) => child.on('exit', () => {
      process.off('exit', killAtExit);
      resolve();
    }));
    await until(() => accepts(this.port), () => `nats-server accepts connections:\n${this.log}`);
    return this;
  }

  async kill() {
    this.#child.kill('SIGKILL');
    await this.#exit;
  }

  freeze() {
    this.#child.kill('SIGSTOP');
  }

  thaw() {
    this.#child.kill('SIGCONT');
  }

  // Removes the data of a server that does not run.
  wipe() {
    fs.rmSync(this.dir, { recursive: true, maxRetries: 5 });
    fs.mkdirSync(this.dir);
  }

  async remove() {
    await this.kill();
    fs.rmSync(this.dir, { recursive: true, maxRetries: 5 });
  }
}

// Servers that replicate their streams to each other.
export class NatsCluster {
  servers;

  static async start(count) {
    const cluster = new NatsCluster();
    const routes = [];
    for (let i = 0; i < count; ++i) routes.push(`nats://127.0.0.1:${await freePort()}`);
    cluster.servers = await Promise.all(routes.map((route, i) =>
      NatsServer.start(['--name', `n${i}`, '--cluster_name', 'oriel', '--cluster', route, '--routes', routes.join()])));
    return cluster;
  }

  get url() {
    return this.servers.map(({ url }) => url).join();
  }

  async remove() {
    for (const server of this.servers) await server.remove();
  }
}
