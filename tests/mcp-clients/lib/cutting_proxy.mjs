// A TCP proxy that cuts event streams, so many times and where chance says.

import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

// A stream's first event, which has an id and no data. A client that was cut off before it has no way back, says the protocol.
const PRIMED = Buffer.from('data: \n\n');
// What has come is read before the end is noticed: a reader that is told of an end forgets what it has not read.
const LINGER = 25; // ms

// Numbers from 0 to 1 that a seed decides (mulberry32).
export function chance(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// One connection. Only bytes of a primed stream are counted: other answers pass whole.
function carry(client, server, { next, mayCut }) {
  let primed = false;
  let tail = Buffer.alloc(0);
  let left = next();
  let isCut = false;

  const cut = async (bytes) => {
    isCut = true;
    client.write(bytes);
    await sleep(LINGER);
    client.resetAndDestroy();
    server.resetAndDestroy();
  };
  client.on('data', (bytes) => {
    primed = false; // a new request
    server.write(bytes);
  });
  server.on('data', (bytes) => {
    if (isCut) return;
    let counted = bytes.length;
    if (!primed) {
      const seen = Buffer.concat([tail, bytes]);
      const at = seen.indexOf(PRIMED);
      tail = seen.subarray(-PRIMED.length);
      if (at < 0) return client.write(bytes);
      primed = true;
      tail = Buffer.alloc(0);
      counted = Math.min(counted, seen.length - at - PRIMED.length);
    }
    if (counted > left && mayCut()) return cut(bytes.subarray(0, bytes.length - counted + left));
    left = Math.max(0, left - counted);
    client.write(bytes);
  });
  for (const [one, other] of [[client, server], [server, client]]) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
}

// `most`: bytes of a stream that pass, at most, before it is cut.
export async function startCuttingProxy(url, { seed, cuts, most }) {
  const random = chance(seed);
  const target = new URL(url);
  let made = 0;
  const sockets = new Set();
  const proxy = net.createServer((client) => {
    const server = net.connect(Number(target.port), target.hostname);
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
    carry(client, server, {
      next: () => Math.floor(random() * most),
      mayCut: () => made < cuts && ++made > 0,
    });
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${proxy.address().port}${target.pathname}`,
    made: () => made,
    stop() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
