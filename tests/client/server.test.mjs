// The module against the real server: what it makes of limits, goodbyes, gaps and tokens.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openStream, OrielApi } from '../../build/web/oriel.js';
import { until } from '../mcp-clients/lib/until.mjs';
import { Oriel } from './lib/oriel.mjs';

async function start(test, ...flags) {
  const oriel = await Oriel.start(['--retry', '10ms', ...flags]);
  test.after(() => oriel.remove());
  const api = new OrielApi({ baseUrl: oriel.url });
  const watch = (options = {}) => {
    const stream = openStream({ baseUrl: oriel.url, minDelay: 5, maxDelay: 100, ...options });
    test.after(() => stream.close());
    const told = { stream, sequences: [], gaps: [], states: [] };
    stream.onEvents((events) => told.sequences.push(...events.map((event) => event.sequence)));
    stream.onGap((gap) => told.gaps.push(gap));
    stream.onState((state) => told.states.push(state));
    return told;
  };
  return { oriel, api, watch };
}

const reaches = ({ stream }, phase) => until(() => stream.state.phase === phase, () => `${phase}: ${JSON.stringify(stream.state)}`);

it('R-PAGE-1: at the limit of watchers it waits for the time of Retry-After, and gets the next place', async (test) => {
  const { watch } = await start(test, '--max-sse-clients', '1');
  const first = watch();
  await reaches(first, 'live');
  const second = watch();
  await reaches(second, 'reconnecting');
  assert.match(second.stream.state.reason, /all 1 places are taken/);
  first.stream.close();
  await reaches(second, 'live');
});

it('R-PAGE-1: a server that says goodbye and comes back is found again, and nothing is missing', async (test) => {
  const { oriel, api, watch } = await start(test);
  const told = watch();
  await reaches(told, 'live');
  await api.publish({ type: 'note' });
  await until(() => told.sequences.length === 1, 'the first event');
  await oriel.stop();
  await oriel.restart();
  await api.publish({ type: 'note' });
  await until(() => told.sequences.length === 2, 'the second event');
  assert.deepEqual(told.sequences, [1, 2]);
  assert.deepEqual(told.gaps, []);
  assert.ok(told.states.some(({ reason }) => reason === 'the server said goodbye: shutdown'));
});

it('R-PAGE-1: what is no longer held is told as a gap, with its size', async (test) => {
  const { oriel, api, watch } = await start(test, '--store', 'memory', '--event-store-bytes', '64KiB');
  for (let number = 0; number < 40; ++number) await api.publish({ type: 'note', text: 'x'.repeat(4000) });
  const { journal } = await api.health();
  const told = watch({ after: `1-${journal.epoch}` });
  await until(() => told.sequences.at(-1) === 40, 'what is held');
  assert.equal(told.gaps.length, 1);
  assert.equal(told.gaps[0].oldest, told.sequences[0]);
  assert.equal(told.gaps[0].missed, told.sequences[0] - 2);
  await oriel.stop();
  await oriel.restart(); // and has forgotten everything
  await until(() => told.gaps.length === 2, 'the second gap');
  assert.equal(told.gaps[1].missed, null);
});

it('R-PAGE-1: under a filter that nothing passes it becomes live all the same', async (test) => {
  const { api, watch } = await start(test);
  for (let number = 0; number < 3; ++number) await api.publish({ type: 'note' });
  const told = watch({ after: '0', types: ['other'] });
  await reaches(told, 'live');
  assert.deepEqual(told.sequences, []);
});

it('R-PAGE-1: without a token, or with one that is taken back, it is closed and says why', async (test) => {
  const { oriel, watch } = await start(test);
  const secret = /oriel_\S+/.exec(oriel.run('token', 'create', 'watcher', '--read-only'))[0];
  await until(async () => (await fetch(`${oriel.url}/api/clients`)).status === 401, 'the server knows that there is a token');
  const stranger = watch();
  await reaches(stranger, 'closed');
  assert.equal(stranger.stream.state.status, 401);
  const told = watch({ token: secret });
  await reaches(told, 'live');
  const api = new OrielApi({ baseUrl: oriel.url, token: secret });
  await assert.rejects(api.publish({ type: 'note' }), { name: 'OrielError', status: 403 });
  oriel.run('token', 'create', 'other');
  oriel.run('token', 'revoke', 'watcher');
  await reaches(told, 'closed');
  assert.equal(told.stream.state.status, 401);
  assert.ok(told.stream.state.hint.length > 0);
});

it('R-PAGE-1: a malformed filter or cursor closes it with the words of the server', async (test) => {
  const { watch } = await start(test);
  for (const options of [{ types: ['two words'] }, { after: 'nonsense' }]) {
    const told = watch(options);
    await reaches(told, 'closed');
    assert.equal(told.stream.state.status, 400);
    assert.match(told.stream.state.code, /^invalid_/);
  }
});
