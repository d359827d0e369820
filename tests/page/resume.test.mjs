import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bubbles, house } from './lib/house.mjs';
import { until } from './lib/until.mjs';

const home = house(['--max-sse-clients', '2', '--retry', '200ms']);

const held = async (page) => Number(await page.locator('.talk').getAttribute('data-events'));

test('R_PAGE_1 a server that is killed and started again: the page goes on by itself, and nothing is missing', async () => {
  const id = await home.server.session('list');
  await home.server.rested(id);
  const page = await home.open(`#/sessions/${id}`);
  home.browser.expected = [/ERR_/, /Failed to load/];
  await page.getByLabel('Message to the agent').fill('half a thought');
  await home.server.kill();
  await page.locator('.light[data-phase="reconnecting"]').waitFor();
  assert.match(await page.locator('.light-words').textContent(), /reconnecting/);
  await home.server.start();
  await home.server.say(id, 'search never');
  await page.locator('.light[data-phase="live"]').waitFor();
  await home.server.rested(id);
  await until(async () => (await held(page)) === (await home.server.journal(id)).length, 'every event of the journal is there');
  const said = (await home.server.get(`/api/sessions/${id}/turns`)).turns.filter((turn) => turn.text && turn.actor === 'user').map((turn) => turn.text);
  assert.deepEqual((await bubbles(page)).filter(({ role }) => role === 'user').map(({ text }) => text), said);
  assert.equal(await page.getByLabel('Message to the agent').inputValue(), 'half a thought');
});

test('R_PAGE_1 streams that are cut again and again lose nothing and double nothing', async () => {
  const page = await home.open('#/');
  home.browser.expected = [/ERR_/, /Failed to load/];
  const id = await home.server.session('slowly search never');
  await page.locator('.card', { hasText: 'slowly search' }).first().click();
  for (let i = 0; i < 4; ++i) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    home.proxy.cutStreams();
  }
  await home.server.rested(id);
  const journal = await home.server.journal(id);
  await until(async () => (await held(page)) === journal.length, 'every event of the journal is there');
  const last = journal.filter((event) => event.type === 'message' && event.role === 'assistant').at(-1).text.trim();
  const said = await bubbles(page);
  assert.equal(said.at(-1).text, last);
  assert.equal(said.filter(({ text }) => text === last).length, 1);
});

test('R_PAGE_1 what happened between the first look at a session and the stream is there, too', async () => {
  const id = await home.server.session('list');
  await home.server.rested(id);
  home.browser.expected = [/503/];
  home.proxy.refuse = { status: 503, retryAfter: 1, matches: (path, method) => path === '/api/events' && method === 'GET' };
  const page = await home.open(`#/sessions/${id}`);
  await page.locator('.talk[data-whole]').waitFor();
  await home.server.say(id, 'search never');
  await home.server.rested(id);
  home.proxy.refuse = undefined;
  await page.locator('.light[data-phase="live"]').waitFor();
  await until(async () => (await held(page)) === (await home.server.journal(id)).length, 'every event of the journal is there');
});

test('R_PAGE_1 two tabs share one connection, and the second goes on when the first is closed', async () => {
  const context = await home.browser.context();
  const first = await home.open('#/', { context });
  const second = await home.open('#/', { context });
  await second.locator('.light[data-phase="live"]').waitFor();
  const count = async () => (await home.server.get('/api/clients')).count;
  assert.equal(await count(), 1);
  const id = await home.server.session('list');
  for (const page of [first, second]) await page.locator(`.card[data-session-id="${id}"]`).waitFor();
  await first.close();
  const next = await home.server.session('count');
  await second.locator(`.card[data-session-id="${next}"]`).waitFor();
  await until(async () => (await count()) === 1, 'one connection again');
});

test('R_PAGE_1 at the limit the page says that it waits, and comes in when a place is free', async () => {
  home.browser.expected = [/503/];
  const watchers = [];
  await home.server.session('list');
  await until(async () => (await home.server.get('/api/clients')).count === 0, 'nobody watches');
  for (let i = 0; i < 2; ++i) {
    const stop = new AbortController();
    const stream = await fetch(`${home.server.url}/api/events`, { signal: stop.signal });
    watchers.push({ stop, stream }); // a stream that nobody holds is closed
  }
  const page = await home.open('#/');
  await page.locator('.light[data-phase="reconnecting"]').waitFor();
  await page.locator('.card').first().waitFor(); // what is known is shown all the same
  await home.browser.shot(page, 'at-the-limit');
  for (const { stop } of watchers) stop.abort();
  await page.locator('.light[data-phase="live"]').waitFor({ timeout: 20_000 });
});
