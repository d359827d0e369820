// A TCP proxy between client and server that does to each connection what a seed decides, so many times; then it is kind.

import net from 'node:net';
import { chance } from '../../mcp-clients/lib/cutting_proxy.mjs';

const MOST = 30_000; // bytes of an answer that pass before something happens
const BUSY = '{"error":{"code":"too_many_clients","message":"all places are taken","hint":""}}';

// `kinds`: what it may do. `cut` resets, `end` ends the connection as if all were said, `stall` says nothing more, `refuse`
// resets before a byte is said, `busy` and `busy-date` answer 503, `drip` is an end after crumbs.
export const KINDS = ['cut', 'cut', 'end', 'end', 'stall', 'refuse', 'busy', 'busy-date', 'drip'];

function busy(kind) {
  const retry = kind === 'busy' ? '1' : new Date(Date.now() + 1000).toUTCString();
  return `HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: ${retry}\r\n`
    + `Content-Length: ${BUSY.length}\r\nConnection: close\r\n\r\n${BUSY}`;
}

function dripTo(client, bytes, random) {
  for (let at = 0, size; at < bytes.length; at += size) {
    size = 1 + Math.floor(random() * 40);
    client.write(bytes.subarray(at, at + size));
  }
}

function carry(client, server, kind, random) {
  let left = kind === 'pass' ? Infinity : Math.floor(random() * MOST);
  const finish = {
    cut: (last) => client.write(last, () => client.resetAndDestroy()),
    end: (last) => client.end(last),
    drip: (last) => client.end(last),
    stall: (last) => client.write(last),
  };
  client.on('data', (bytes) => server.write(bytes));
  server.on('data', (bytes) => {
    if (left < 0) return;
    const passed = bytes.subarray(0, left);
    left -= bytes.length;
    if (left < 0) finish[kind](passed);
    else if (kind === 'drip') dripTo(client, passed, random);
    else client.write(passed);
  });
}

export async function startHostileProxy(target, { seed, acts, kinds = KINDS }) {
  const random = chance(seed);
  const { port, hostname } = new URL(target);
  const sockets = new Set();
  const keep = (socket) => {
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  const order = kinds.map((kind) => ({ kind, place: random() })).sort((a, b) => a.place - b.place).map(({ kind }) => kind);
  let made = 0;
  const decide = () => (made < acts ? order[made % order.length] : 'pass');
  const proxy = net.createServer((client) => {
    keep(client);
    const kind = decide();
    if (kind !== 'pass') made += 1;
    if (kind === 'refuse') return client.resetAndDestroy();
    if (kind.startsWith('busy')) return client.once('data', () => client.end(busy(kind)));
    const server = net.connect(Number(port), hostname);
    keep(server);
    client.on('close', () => server.destroy());
    server.on('close', () => kind !== 'stall' && client.destroy());
    return carry(client, server, kind, random);
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${proxy.address().port}`,
    isDone: () => made >= acts,
    stop() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
