// Events reach MCP clients of the era of sessions as they happen, all of them and each once.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connect, SESSION_SDKS } from './lib/clients.mjs';
import { assertInOrder, assertWasSent, eventsAfterTurns, isAtWork } from './lib/events.mjs';
import { startOriel } from './lib/oriel.mjs';
import { until } from './lib/until.mjs';

let oriel;
before(async () => { oriel = await startOriel(); });
after(() => oriel.stop());

for (const sdk of SESSION_SDKS) {
  describe(sdk, () => {
    const clients = [];
    const open = async (options) => {
      const client = await connect(sdk, oriel.url, options);
      clients.push(client);
      return client;
    };
    after(() => Promise.all(clients.map((client) => client.end())));

    it('R-LIVE-1 R-SHAPE-2 what is pushed is exactly what polling shows, in order, none twice, none missing', async () => {
      const client = await open({ level: 'debug' });
      const { session_id } = await client.call('session_message', { message: 'flood 300', workspace: oriel.workspace });
      const events = await eventsAfterTurns(client, session_id, 1);
      assert.equal(events[0].index, 0);
      assert.ok(events.some((event) => event.type === 'delta'));
      await assertWasSent(client, events);
      assertInOrder(client);
    });

    it('R-LIVE-5 a call that waits is told all on its way, and its result has the final text', async () => {
      const client = await open({ level: 'debug' });
      const result = await client.call('session_message', { message: 'help', wait: true, workspace: oriel.workspace });
      assert.equal(result.status, 'completed');
      const events = await eventsAfterTurns(client, result.session_id, 1);
      const completion = events.find((event) => event.type === 'completion');
      assert.ok(result.text.length > 0);
      assert.equal(result.text, completion.text);
      await assertWasSent(client, events);
    });

    it('R-LIVE-8 several clients on one session receive all of it, whoever sends the messages', async () => {
      const [speaker, ...watchers] = await Promise.all([1, 2, 3, 4].map(() => open({ level: 'debug' })));
      const { session_id } = await speaker.call('session_message', { message: 'help', wait: true, workspace: oriel.workspace });
      await eventsAfterTurns(speaker, session_id, 1);
      const watched = await Promise.all(watchers.map((watcher) => watcher.call('session_watch', { session_id })));
      await speaker.call('session_message', { session_id, message: 'flood 100' });
      await watchers[0].call('session_message', { session_id, message: 'list', wait: true });
      const events = await eventsAfterTurns(speaker, session_id, 3);
      await assertWasSent(speaker, events);
      for (const [place, watcher] of watchers.entries())
        await assertWasSent(watcher, events.filter((event) => event.index > watched[place].last_index));
    });

    it('R-LIVE-8 who no longer watches is sent no more', async () => {
      const client = await open({ level: 'debug' });
      const { session_id } = await client.call('session_message', { message: 'help', wait: true, workspace: oriel.workspace });
      await assertWasSent(client, await eventsAfterTurns(client, session_id, 1));
      const sent = client.messages.length;
      const { watched } = await client.call('session_unwatch', { session_id });
      assert.deepEqual(watched, []);
      const other = await open({ level: 'debug' });
      await other.call('session_message', { session_id, message: 'help', wait: true });
      await eventsAfterTurns(other, session_id, 2);
      await client.client.ping();
      assert.equal(client.messages.length, sent);
    });

    it('R-LIVE-8 R-POLL-4 a client that comes back with a new MCP session goes on where it was', async () => {
      const first = await open({ level: 'debug' });
      const { session_id } = await first.call('session_message', { message: 'slowly list', workspace: oriel.workspace });
      await until(() => first.messages.some((message) => message.data.type === 'status'), 'the turn has begun');
      await first.vanish();
      clients.splice(clients.indexOf(first), 1);
      const seen = Math.max(...first.indices());

      const second = await open({ level: 'debug' });
      const { last_index } = await second.call('session_watch', { session_id });
      const events = await eventsAfterTurns(second, session_id, 1);
      await assertWasSent(second, events.filter((event) => event.index > last_index));
      const missed = (await second.call('session_events', { session_id, since_index: seen })).events
        .filter((event) => event.index <= last_index);
      const all = [...first.indices(), ...missed.map((event) => event.index), ...second.indices()];
      assert.deepEqual(all.toSorted((a, b) => a - b), events.map((event) => event.index));
    });

    it('R-LIVE-6 each client is sent what is at or above its level, and nothing before it has set one', async () => {
      const all = await open({ level: 'debug' });
      const { session_id } = await all.call('session_message', { message: 'help', wait: true, workspace: oriel.workspace });
      await eventsAfterTurns(all, session_id, 1);
      const levels = [undefined, 'error', 'info', 'debug'];
      const watchers = await Promise.all(levels.map((level) => open({ level })));
      const { last_index } = await all.call('session_watch', { session_id });
      for (const watcher of watchers) await watcher.call('session_watch', { session_id });
      await all.call('session_message', { session_id, message: 'flood 50', wait: true });
      await all.call('session_message', { session_id, message: 'fail' });
      const events = await eventsAfterTurns(all, session_id, 3, -1);
      const later = events.filter((event) => event.index > last_index);

      const [none, errors, infos, debugs] = watchers;
      await assertWasSent(debugs, later);
      await assertWasSent(infos, later.filter((event) => event.type !== 'delta'));
      await assertWasSent(errors, later.filter((event) => event.type === 'error'));
      assert.ok(errors.messages.length > 0);
      assert.deepEqual(none.messages, []);
      const level = { delta: 'debug', error: 'error' };
      for (const message of debugs.messages) assert.equal(message.level, level[message.data.type] ?? 'info');
    });

    it('R-RESUME-7 a cancelled call ends at once, and its turn goes on until session_cancel', async () => {
      const client = await open({ level: 'info' });
      const { session_id } = await client.call('session_message', { message: 'help', wait: true, workspace: oriel.workspace });
      const giveUp = new AbortController();
      const waiting = client.call('session_message', { session_id, message: 'slow 60s help', wait: true }, { signal: giveUp.signal });
      await until(() => isAtWork(client, session_id), 'the turn has begun');
      giveUp.abort('enough');
      await assert.rejects(waiting);
      await client.call('session_cancel', { session_id });
      const events = await eventsAfterTurns(client, session_id, 2);
      assert.equal(events.findLast((event) => event.type === 'completion').status, 'cancelled');
      await assertWasSent(client, events.filter((event) => event.type !== 'delta'));
    });
  });
}
