// The client module against the real server: limits, shutdown, gaps and tokens.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openStream, OrielApi } from '../../build/web/oriel.js';
import { until } from '../support/until.mjs';
import { Server } from '../support/server.mjs';

async function start(test, ...flags) {
  const server = await Server.start(['--retry', '10ms', ...flags]);
  test.after(() => server.remove());
  const api = new OrielApi({ baseUrl: server.url });
  const watch = (options = {}) => {
    const stream = openStream({ baseUrl: server.url, minDelay: 5, maxDelay: 100, ...options });
    test.after(() => stream.close());
    const watcher = { stream, sequences: [], gaps: [], states: [] };
    stream.onEvents((events) => watcher.sequences.push(...events.map((event) => event.sequence)));
    stream.onGap((gap) => watcher.gaps.push(gap));
    stream.onState((state) => watcher.states.push(state));
    return watcher;
  };
  return { server, api, watch };
}

const reaches = ({ stream }, phase) => until(() => stream.state.phase === phase, () => `${phase}: ${JSON.stringify(stream.state)}`);

it('R-PAGE-1: at the limit of watchers it waits for Retry-After and connects when another leaves', async (test) => {
  const { watch } = await start(test, '--max-sse-clients', '1');
  const first = watch();
  await reaches(first, 'live');
  const second = watch();
  await reaches(second, 'reconnecting');
  assert.match(second.stream.state.reason, /limit of 1 streams reached/);
  first.stream.close();
  await reaches(second, 'live');
});

it('R-PAGE-1: it reconnects after a restart of the server, and nothing is missing', async (test) => {
  const { server, api, watch } = await start(test);
  const watcher = watch();
  await reaches(watcher, 'live');
  await api.publish({ type: 'note' });
  await until(() => watcher.sequences.length === 1, 'the first event');
  await server.stop();
  await server.start();
  await api.publish({ type: 'note' });
  await until(() => watcher.sequences.length === 2, 'the second event');
  assert.deepEqual(watcher.sequences, [1, 2]);
  assert.deepEqual(watcher.gaps, []);
  assert.ok(watcher.states.some(({ reason }) => reason === 'the server closed the stream: shutdown'));
});

it('R-PAGE-1: events that are no longer stored are reported as a gap with its size', async (test) => {
  const { server, api, watch } = await start(test, '--store', 'memory', '--event-store-bytes', '64KiB');
  for (let number = 0; number < 40; ++number) await api.publish({ type: 'note', text: 'x'.repeat(4000) });
  const { journal } = await api.health();
  const watcher = watch({ after: `1-${journal.epoch}` });
  await until(() => watcher.sequences.at(-1) === 40, 'the stored events');
  assert.equal(watcher.gaps.length, 1);
  assert.equal(watcher.gaps[0].oldest, watcher.sequences[0]);
  assert.equal(watcher.gaps[0].missed, watcher.sequences[0] - 2);
  await server.stop();
  await server.start(); // its store was in memory
  await until(() => watcher.gaps.length === 2, 'the second gap');
  assert.equal(watcher.gaps[1].missed, null);
});

it('R-PAGE-1: it becomes live even if nothing passes its filter', async (test) => {
  const { api, watch } = await start(test);
  for (let number = 0; number < 3; ++number) await api.publish({ type: 'note' });
  const watcher = watch({ after: '0', types: ['other'] });
  await reaches(watcher, 'live');
  assert.deepEqual(watcher.sequences, []);
});

it('R-PAGE-1: without a token, or with a revoked one, it closes and reports the reason', async (test) => {
  const { server, watch } = await start(test, '--local-trust', 'none');
  const secret = /oriel_\S+/.exec(server.run('token', 'create', 'watcher', '--scopes', 'read'))[0];
  await server.stop();
  await server.start(); // with the token
  const stranger = watch();
  await reaches(stranger, 'closed');
  assert.equal(stranger.stream.state.status, 401);
  const api = new OrielApi({ baseUrl: server.url, token: secret });
  const watcher = watch({ token: secret });
  await reaches(watcher, 'live');
  await assert.rejects(api.publish({ type: 'note' }), { name: 'OrielError', status: 403 });
  server.run('token', 'create', 'other');
  server.run('token', 'revoke', 'watcher');
  await reaches(watcher, 'closed');
  assert.equal(watcher.stream.state.status, 401);
  assert.ok(watcher.stream.state.hint.length > 0);
});

it('R-PAGE-1: a malformed filter or cursor closes it with the error of the server', async (test) => {
  const { watch } = await start(test);
  for (const options of [{ types: ['two words'] }, { after: 'nonsense' }]) {
    const watcher = watch(options);
    await reaches(watcher, 'closed');
    assert.equal(watcher.stream.state.status, 400);
    assert.match(watcher.stream.state.code, /^invalid_/);
  }
});
