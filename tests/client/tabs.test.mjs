// Tabs of a real browser share one connection to the real server.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, it } from 'node:test';
import { OrielApi } from '../../build/web/oriel.js';
import { chance } from '../mcp-clients/lib/cutting_proxy.mjs';
import { until } from '../mcp-clients/lib/until.mjs';
import { startBrowser, Tabs } from './lib/browser.mjs';
import { readJournal, startPublishing } from './lib/journal.mjs';
import { Oriel } from './lib/oriel.mjs';

let browser;
let oriel;
let api;
let tabs;
before(async () => {
  [browser, oriel] = await Promise.all([startBrowser(), Oriel.start(['--retry', '10ms'])]);
  api = new OrielApi({ baseUrl: oriel.url });
});
after(async () => {
  await browser.close();
  await oriel.remove();
});
beforeEach(async () => { tabs = await Tabs.open(browser, oriel.url); });
afterEach(async () => {
  assert.deepEqual(tabs.faults, []);
  await tabs.close();
  await until(async () => (await api.clients()).count === 0, 'no connection is left');
});

const areLive = (...all) => until(async () => (await Promise.all(all.map((tab) => tab.phase()))).every((phase) => phase === 'live'), 'all are live');
const haveConnections = (count) => until(async () => (await api.clients()).count === count, `${count} connections`);
const publish = async (count) => {
  for (; count > 0; --count) await api.publish({ type: 'note', text: String(count) });
};
const journalIds = async () => (await readJournal(oriel.url)).map(([id]) => id);

async function assertHas(tab, expected) {
  await until(async () => (await tab.ids()).length >= expected.length, 'it has all');
  assert.deepEqual(await tab.ids(), expected);
}

it('R-PAGE-1: three tabs have one connection, and each has every event once', async () => {
  const all = [await tabs.watch({ after: '0' }), await tabs.watch({ after: '0' }), await tabs.watch({ after: '0' })];
  await areLive(...all);
  await publish(20);
  assert.equal((await api.clients()).count, 1);
  const expected = await journalIds();
  for (const tab of all) await assertHas(tab, expected);
});

it('R-PAGE-1: the leader is closed again and again while events flow: the others go on, nothing is lost or doubled', async (test) => {
  const all = [];
  for (let count = 0; count < 4; ++count) all.push(await tabs.watch({ after: '0' }));
  await areLive(...all);
  const publisher = startPublishing(oriel.url, chance(7));
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

it('R-PAGE-1: a server that is killed and comes back finds one connection, and all tabs have everything', async () => {
  const all = [await tabs.watch({ after: '0' }), await tabs.watch({ after: '0' })];
  await areLive(...all);
  await oriel.kill();
  await until(async () => (await all[1].phase()) === 'reconnecting', 'the follower says so, too');
  await oriel.restart();
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

it('R-PAGE-1: whichever tab hears that it is online, the wait of all is over', async () => {
  const patient = { minDelay: 3_600_000, maxDelay: 3_600_000 };
  const all = [await tabs.watch(patient), await tabs.watch(patient)];
  await areLive(...all);
  await oriel.kill();
  await until(async () => (await all[1].phase()) === 'reconnecting', 'reconnecting');
  await oriel.restart();
  await all[1].page.evaluate(() => window.dispatchEvent(new Event('online')));
  await areLive(...all);
});
