// Tabs of a real browser share one connection to the real server.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, it } from 'node:test';
import { OrielApi } from '../../build/web/oriel.js';
import { seededRandom } from '../support/random.mjs';
import { until } from '../support/until.mjs';
import { launchChromium } from '../support/chromium.mjs';
import { Tabs } from './lib/tabs.mjs';
import { readJournal, startPublishing } from './lib/journal.mjs';
import { Server } from '../support/server.mjs';

let browser;
let server;
let api;
let tabs;
before(async () => {
  [browser, server] = await Promise.all([launchChromium(), Server.start(['--retry', '10ms'])]);
  api = new OrielApi({ baseUrl: server.url });
});
after(async () => {
  await browser.close();
  await server.remove();
});
beforeEach(async () => { tabs = await Tabs.open(browser, server.url); });
afterEach(async () => {
  assert.deepEqual(tabs.errors, []);
  await tabs.close();
  await until(async () => (await api.clients()).count === 0, 'no connection is left');
});

const areLive = (...all) => until(async () => (await Promise.all(all.map((tab) => tab.phase()))).every((phase) => phase === 'live'), 'all are live');
const haveConnections = (count) => until(async () => (await api.clients()).count === count, `${count} connections`);
const publish = async (count) => {
  for (; count > 0; --count) await api.publish({ type: 'note', text: String(count) });
};
const journalIds = async () => (await readJournal(server.url)).map(([id]) => id);

async function assertHas(tab, expected) {
  await until(async () => (await tab.ids()).length >= expected.length, 'the tab has all events');
  assert.deepEqual(await tab.ids(), expected);
}

it('R-PAGE-1: three tabs share one connection, and each has every event once', async () => {
  const all = [await tabs.watch({ after: '0' }), await tabs.watch({ after: '0' }), await tabs.watch({ after: '0' })];
  await areLive(...all);
  await publish(20);
  assert.equal((await api.clients()).count, 1);
  const expected = await journalIds();
  for (const tab of all) await assertHas(tab, expected);
});

it('R-PAGE-1: the leader closes repeatedly while events flow, and the others lose and repeat nothing', async (test) => {
  const all = [];
  for (let count = 0; count < 4; ++count) all.push(await tabs.watch({ after: '0' }));
  await areLive(...all);
  const publisher = startPublishing(server.url, seededRandom(7));
  test.after(() => publisher.stop());
  while (all.length > 1) {
    const enough = publisher.ids.length + 100;
    await until(() => publisher.ids.length > enough, 'events are published');
    await all.shift().close();
  }
  const late = await tabs.watch({ after: '0' });
  await publisher.stop();
  const expected = await journalIds();
  for (const tab of [...all, late]) await assertHas(tab, expected);
  await haveConnections(1);
});

it('R-PAGE-1: after a kill and restart of the server one connection serves all tabs with everything', async () => {
  const all = [await tabs.watch({ after: '0' }), await tabs.watch({ after: '0' })];
  await areLive(...all);
  await server.kill();
  await until(async () => (await all[1].phase()) === 'reconnecting', 'the follower reconnects as well');
  await server.start();
  await publish(5);
  const expected = await journalIds();
  for (const tab of all) {
    await assertHas(tab, expected);
    assert.deepEqual(await tab.gaps(), []);
  }
  await haveConnections(1);
});

it('R-PAGE-1: tabs with different filters have different connections', async () => {
  const notes = [await tabs.watch({ types: ['note'] }), await tabs.watch({ types: ['note'] })];
  const other = await tabs.watch({ types: ['other'] });
  await areLive(...notes, other);
  await haveConnections(2);
  await publish(1);
  for (const tab of notes) await until(async () => (await tab.ids()).length === 1, 'the event');
  assert.deepEqual(await other.ids(), []);
});

it('R-PAGE-1: an online event in any tab ends the wait of all', async () => {
  const longDelay = { minDelay: 3_600_000, maxDelay: 3_600_000 };
  const all = [await tabs.watch(longDelay), await tabs.watch(longDelay)];
  await areLive(...all);
  await server.kill();
  await until(async () => (await all[1].phase()) === 'reconnecting', 'reconnecting');
  await server.start();
  await all[1].page.evaluate(() => window.dispatchEvent(new Event('online')));
  await areLive(...all);
});
