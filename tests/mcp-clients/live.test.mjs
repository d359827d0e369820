// MCP clients with sessions (2025-11-25) receive every event once, as it happens.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connect, SESSION_SDKS } from './lib/clients.mjs';
import { assertInOrder, assertReceived, eventsAfterTasks, isWorking } from './lib/events.mjs';
import { Server } from '../support/server.mjs';
import { until } from '../support/until.mjs';

let server;
before(async () => { server = await Server.start(); });
after(() => server.remove());

for (const sdk of SESSION_SDKS) {
  describe(sdk, () => {
    const clients = [];
    const open = async (options) => {
      const client = await connect(sdk, server.mcpUrl, options);
      clients.push(client);
      return client;
    };
    after(() => Promise.all(clients.map((client) => client.end())));

    it('R-LIVE-1 R-SHAPE-2 notifications are exactly the polled events, in order, none twice, none missing', async () => {
      const client = await open({ level: 'debug' });
      const { session_id } = await client.call('session_message', { message: 'babble 150', workspace: server.workspace });
      const events = await eventsAfterTasks(client, session_id, 1);
      assert.equal(events[0].index, 0);
      assert.ok(events.some((event) => event.type === 'delta'));
      await assertReceived(client, events);
      assertInOrder(client);
    });

    it('R-LIVE-5 a call that waits receives all events, and its result has the final text', async () => {
      const client = await open({ level: 'debug' });
      const result = await client.call('session_message', { message: 'help', wait: true, workspace: server.workspace });
      assert.equal(result.status, 'completed');
      const events = await eventsAfterTasks(client, result.session_id, 1);
      const completion = events.find((event) => event.type === 'completion');
      assert.ok(result.text.length > 0);
      assert.equal(result.text, completion.text);
      await assertReceived(client, events);
    });

    it('R-LIVE-8 all watchers of a session receive all events, regardless of the sender', async () => {
      const [sender, ...watchers] = await Promise.all([1, 2, 3, 4].map(() => open({ level: 'debug' })));
      const { session_id } = await sender.call('session_message', { message: 'help', wait: true, workspace: server.workspace });
      await eventsAfterTasks(sender, session_id, 1);
      const watched = await Promise.all(watchers.map((watcher) => watcher.call('session_watch', { session_id })));
      await sender.call('session_message', { session_id, message: 'babble 50' });
      await watchers[0].call('session_message', { session_id, message: 'list', wait: true });
      const events = await eventsAfterTasks(sender, session_id, 3);
      await assertReceived(sender, events);
      for (const [i, watcher] of watchers.entries())
        await assertReceived(watcher, events.filter((event) => event.index > watched[i].last_index));
    });

    it('R-LIVE-8 a client that stops watching receives no more events', async () => {
      const client = await open({ level: 'debug' });
      const { session_id } = await client.call('session_message', { message: 'help', wait: true, workspace: server.workspace });
      await assertReceived(client, await eventsAfterTasks(client, session_id, 1));
      const sent = client.messages.length;
      const { watched } = await client.call('session_unwatch', { session_id });
      assert.deepEqual(watched, []);
      const other = await open({ level: 'debug' });
      await other.call('session_message', { session_id, message: 'help', wait: true });
      await eventsAfterTasks(other, session_id, 2);
      await client.client.ping();
      assert.equal(client.messages.length, sent);
    });

    it('R-LIVE-8 R-POLL-4 a client with a new MCP session resumes where it stopped', async () => {
      const first = await open({ level: 'debug' });
      const { session_id } = await first.call('session_message', { message: 'slowly list', workspace: server.workspace });
      await until(() => first.messages.some((message) => message.data.type === 'status'), 'the task has started');
      await first.vanish();
      clients.splice(clients.indexOf(first), 1);
      const seen = Math.max(...first.indices());

      const second = await open({ level: 'debug' });
      const { last_index } = await second.call('session_watch', { session_id });
      const events = await eventsAfterTasks(second, session_id, 1);
      await assertReceived(second, events.filter((event) => event.index > last_index));
      const missed = (await second.call('session_events', { session_id, since_index: seen })).events
        .filter((event) => event.index <= last_index);
      const all = [...first.indices(), ...missed.map((event) => event.index), ...second.indices()];
      assert.deepEqual(all.toSorted((a, b) => a - b), events.map((event) => event.index));
    });

    it('R-LIVE-6 each client receives events at or above its level, and none before it sets one', async () => {
      const all = await open({ level: 'debug' });
      const { session_id } = await all.call('session_message', { message: 'help', wait: true, workspace: server.workspace });
      await eventsAfterTasks(all, session_id, 1);
      const levels = [undefined, 'error', 'info', 'debug'];
      const watchers = await Promise.all(levels.map((level) => open({ level })));
      const { last_index } = await all.call('session_watch', { session_id });
      for (const watcher of watchers) await watcher.call('session_watch', { session_id });
      await all.call('session_message', { session_id, message: 'babble 25', wait: true });
      await all.call('session_message', { session_id, message: 'fail' });
      const events = await eventsAfterTasks(all, session_id, 3, -1);
      const later = events.filter((event) => event.index > last_index);

      const [none, errors, infos, debugs] = watchers;
      await assertReceived(debugs, later);
      await assertReceived(infos, later.filter((event) => event.type !== 'delta'));
      await assertReceived(errors, later.filter((event) => event.type === 'error'));
      assert.ok(errors.messages.length > 0);
      assert.deepEqual(none.messages, []);
      const level = { delta: 'debug', error: 'error' };
      for (const message of debugs.messages) assert.equal(message.level, level[message.data.type] ?? 'info');
    });

    it('R-RESUME-7 a cancelled call ends at once, and its task continues until session_cancel', async () => {
      const client = await open({ level: 'info' });
      const { session_id } = await client.call('session_message', { message: 'help', wait: true, workspace: server.workspace });
      const controller = new AbortController();
      const waiting = client.call('session_message', { session_id, message: 'slow 60s help', wait: true }, { signal: controller.signal });
      await until(() => isWorking(client, session_id), 'the task has started');
      controller.abort('cancelled');
      await assert.rejects(waiting);
      await client.call('session_cancel', { session_id });
      const events = await eventsAfterTasks(client, session_id, 2);
      assert.equal(events.findLast((event) => event.type === 'completion').status, 'cancelled');
      await assertReceived(client, events.filter((event) => event.type !== 'delta'));
    });
  });
}
