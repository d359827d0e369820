// Tokens and logins: created at one node, accepted at all, revoked at any.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRaw } from '../mcp-clients/lib/raw.mjs';
import { Server } from '../support/server.mjs';
import { until } from '../support/until.mjs';
import { Cluster } from './cluster.mjs';

let cluster;
let a;
let b;
beforeEach(async () => {
  cluster = await Cluster.start(['a', 'b']);
  [a, b] = cluster.nodes;
});
afterEach(() => cluster?.remove());

const createToken = ({ server }, name) => server.run('token', 'create', name).trim();
const revoke = ({ server }, name) => server.run('token', 'revoke', name);
const list = ({ server }) => server.run('token', 'list');
const bearer = (secret) => ({ Authorization: `Bearer ${secret}` });
const statusAt = async ({ server }, headers) => (await fetch(`${server.url}/api/sessions`, { headers })).status;
const accepts = (node, secret) => until(async () => (await statusAt(node, bearer(secret))) === 200, `${node.name} accepts the token`);
// 429 after too many wrong ones, such as those of a test that polls.
const isRejected = async (node, secret) => [401, 429].includes(await statusAt(node, bearer(secret)));
const rejects = (node, secret) => until(() => isRejected(node, secret), `${node.name} rejects the token`);
const tokensFile = ({ server }) => path.join(server.dataDir, 'tokens.json');
const isReady = async ({ server }) => (await fetch(`${server.url}/ready`)).ok;

// Resolves with the time at which the body has ended.
async function endOf(response) {
  try {
    for await (const _ of response.body);
  } catch {
    // It was cut off.
  }
  return Date.now();
}

it('R-AUTH-2: a token that one node has created is accepted and listed by every node', async () => {
  const secret = createToken(a, 'laptop');
  await accepts(b, secret);
  await until(() => /laptop/.test(list(b)), 'node b lists it');
  const c = await cluster.add('c');
  assert.equal(await statusAt(c, bearer(secret)), 200, 'a node that joins knows it before it accepts clients');
  assert.ok(!fs.readFileSync(tokensFile(b), 'utf8').includes(secret.slice(6)), 'only its hash is kept');
});

it('R-AUTH-2: a revocation at any node ends REST, SSE and MCP streams on every node within 2 s', async () => {
  const secret = createToken(a, 'laptop');
  await accepts(b, secret);
  const headers = bearer(secret);
  const { session } = await a.api.start({ agent: 'demo', workspace: a.server.workspace });
  const ends = [];
  for (const { server } of [a, b]) {
    ends.push(endOf(await fetch(`${server.url}/api/events`, { headers })));
    const wait = `${server.url}/api/sessions/${session.session_id}/events?wait_ms=60000&since_index=1000000`;
    ends.push(fetch(wait, { headers }).then((response) => {
      assert.equal(response.status, 401, 'a waiting request');
      return Date.now();
    }));
    const stream = await (await openRaw(server.mcpUrl, headers)).get();
    assert.equal(stream.status, 200);
    ends.push(endOf(stream.response));
  }
  await sleep(1000); // all of them wait
  revoke(b, 'laptop');
  const revoked = Date.now();
  const took = (await Promise.all(ends)).map((time) => time - revoked);
  assert.ok(Math.max(...took) <= 2000, `they have ended after ${took} ms`);
  for (const node of [a, b]) assert.ok(await isRejected(node, secret));
  await until(() => !/laptop/.test(list(a)), 'node a does not list it');
});

it('R-AUTH-2: a node that was away during a revocation rejects the token from its first answer on', async () => {
  const secret = createToken(a, 'laptop');
  const other = createToken(a, 'phone');
  await accepts(b, secret);
  await accepts(b, other);
  await b.server.stop();
  const stale = fs.readFileSync(tokensFile(b));
  revoke(a, 'laptop');
  await rejects(a, secret);
  const starting = cluster.start(b);
  const statuses = new Set();
  let isStarted = false;
  starting.finally(() => { isStarted = true; });
  while (!isStarted) {
    statuses.add(await statusAt(b, bearer(secret)).catch(() => 'no connection'));
    await sleep(5);
  }
  await starting;
  assert.ok(!statuses.has(200), `${[...statuses]}`);
  assert.ok(await isRejected(b, secret));
  assert.equal(await statusAt(b, bearer(other)), 200);

  fs.writeFileSync(tokensFile(b), stale); // of a backup
  await until(() => !/laptop/.test(list(b)), 'the file has lost the revoked token again');
  assert.ok(await isRejected(b, secret));
  assert.ok(await isRejected(a, secret));
  assert.equal(await statusAt(a, bearer(other)), 200);
});

it('R-AUTH-2: what was revoked at a node that did not run is revoked at all once it does', async () => {
  const secret = createToken(a, 'laptop');
  await accepts(b, secret);
  await b.server.stop();
  revoke(b, 'laptop');
  assert.equal(await statusAt(a, bearer(secret)), 200, 'nobody knows yet');
  await cluster.start(b);
  await rejects(a, secret);
});

it('R-AUTH-2: tokens of one name from before the cluster are both accepted, and one is renamed', async () => {
  const [first, second] = ['c', 'd'].map((name) => new Server(['--cluster', cluster.nats.url, '--node', name]));
  const secrets = [first, second].map((server) => createToken({ server }, 'laptop'));
  await cluster.join('c', first);
  const d = await cluster.join('d', second);
  for (const node of cluster.nodes) for (const secret of secrets) await accepts(node, secret);
  await until(() => list(a).match(/ laptop(-\w{6})? /g)?.length === 2, 'both are listed');
  assert.match(d.server.log, /laptop-\w{6}/);
  revoke(a, 'laptop');
  await rejects(d, secrets[0]);
  assert.equal(await statusAt(d, bearer(secrets[1])), 200);
});

it('R-AUTH-2: a login link works once, at any node, and the login at all until it logs out at any', async () => {
  const post = (node, path, body, headers) => fetch(node.server.url + path, {
    method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body),
  });
  const { path: link } = await (await post(a, '/api/login-links', { name: 'phone', scopes: ['read'] })).json();
  const code = link.slice('/#login='.length);
  const login = await post(b, '/api/login', { code });
  assert.equal(login.status, 200, await login.clone().text());
  for (const node of [a, b]) assert.equal((await post(node, '/api/login', { code })).status, 401, 'it was used');
  const cookie = { Cookie: login.headers.get('Set-Cookie').split(';')[0] };
  const nameAt = async ({ server }) => (await (await fetch(`${server.url}/api/me`, { headers: cookie })).json()).name;
  for (const node of [a, b]) await until(async () => /^phone-/.test(await nameAt(node)), `${node.name} knows the login`);
  assert.equal((await post(a, '/api/logout', {}, cookie)).status, 204);
  // The operator's own browser goes on without the login.
  await until(async () => (await nameAt(b)) === 'local', 'node b has ended the login');
});

it('R-AUTH-2: a node without its NATS server accepts no token, because it may have been revoked', async () => {
  const secret = createToken(a, 'laptop');
  await accepts(b, secret);
  await b.server.stop();
  revoke(a, 'laptop');
  await rejects(a, secret);
  await cluster.nats.kill();
  await b.server.start();
  assert.equal(await statusAt(b, {}), 200, 'the operator reads');
  const refused = await fetch(`${b.server.url}/api/sessions`, { headers: bearer(secret) });
  assert.equal(refused.status, 503);
  assert.ok(Number(refused.headers.get('Retry-After')) > 0);
  assert.match((await refused.json()).error.message, /revoked/);
  await cluster.nats.restart();
  await until(() => isReady(b), 'node b has joined', 60_000);
  await rejects(b, secret);
});

it('R-AUTH-2: a token file that cannot be read admits nobody at its node, and changes nothing at the others', async () => {
  const secret = createToken(a, 'laptop');
  await accepts(b, secret);
  await until(() => /laptop/.test(list(b)), 'node b has written its file');
  fs.writeFileSync(tokensFile(b), '{');
  await rejects(b, secret);
  const later = createToken(a, 'phone');
  await accepts(a, later);
  assert.ok(await isRejected(b, later));
  assert.equal(await statusAt(a, bearer(secret)), 200);
  fs.rmSync(tokensFile(b));
  await accepts(b, secret);
  await accepts(b, later);
});
