import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bubbles, pageFixture } from './lib/fixture.mjs';
import { until } from '../support/until.mjs';

const fixture = pageFixture(['--max-sse-clients', '2', '--retry', '200ms']);

const loadedEvents = async (page) => Number(await page.locator('.conversation').getAttribute('data-events'));

test('R_PAGE_1 the page resumes by itself after the server is killed and restarted, and nothing is missing', async () => {
  const id = await fixture.server.startSession('list');
  await fixture.server.idle(id);
  const page = await fixture.open(`#/sessions/${id}`);
  fixture.browser.expected = [/ERR_/, /Failed to load/];
  await page.getByLabel('Message to the agent').fill('an unfinished draft');
  await fixture.server.kill();
  await page.locator('.connection[data-phase="reconnecting"]').waitFor();
  assert.match(await page.locator('.connection-text').textContent(), /reconnecting/);
  await fixture.server.start();
  await fixture.server.sendMessage(id, 'search never');
  await page.locator('.connection[data-phase="live"]').waitFor();
  await fixture.server.idle(id);
  await until(async () => (await loadedEvents(page)) === (await fixture.server.events(id)).length, 'every stored event is loaded');
  const { turns } = await fixture.server.get(`/api/sessions/${id}/turns`);
  const sent = turns.filter((turn) => turn.text && turn.actor === 'user').map((turn) => turn.text);
  assert.deepEqual((await bubbles(page)).filter(({ role }) => role === 'user').map(({ text }) => text), sent);
  assert.equal(await page.getByLabel('Message to the agent').inputValue(), 'an unfinished draft');
});

test('R_PAGE_1 repeated cuts of the stream lose nothing and repeat nothing', async () => {
  const page = await fixture.open('#/');
  fixture.browser.expected = [/ERR_/, /Failed to load/];
  const id = await fixture.server.startSession(`slowly search${' never'.repeat(15)}`);
  await page.locator('.card', { hasText: 'slowly search' }).first().click();
  await page.locator('.conversation').waitFor();
  for (let i = 0; i < 4; ++i) {
    const before = await loadedEvents(page);
    await until(async () => (await loadedEvents(page)) > before, 'the page has loaded more events');
    fixture.proxy.cutStreams();
  }
  await fixture.server.idle(id);
  const stored = await fixture.server.events(id);
  await until(async () => (await loadedEvents(page)) === stored.length, 'every stored event is loaded');
  const last = stored.filter((event) => event.type === 'message' && event.role === 'assistant').at(-1).text.trim();
  const shown = await bubbles(page);
  assert.equal(shown.at(-1).text, last);
  assert.equal(shown.filter(({ text }) => text === last).length, 1);
});

test('R_PAGE_1 events between the first snapshot of a session and the stream are loaded as well', async () => {
  const id = await fixture.server.startSession('list');
  await fixture.server.idle(id);
  fixture.browser.expected = [/503/];
  fixture.rejection = { status: 503, retryAfter: 1, matches: (path, method) => path === '/api/events' && method === 'GET' };
  const page = await fixture.open(`#/sessions/${id}`);
  await page.locator('.conversation[data-complete]').waitFor();
  await fixture.server.sendMessage(id, 'search never');
  await fixture.server.idle(id);
  fixture.rejection = undefined;
  await page.locator('.connection[data-phase="live"]').waitFor();
  await until(async () => (await loadedEvents(page)) === (await fixture.server.events(id)).length, 'every stored event is loaded');
});

test('R_PAGE_1 two tabs share one connection, and the second continues when the first closes', async () => {
  const context = await fixture.browser.context();
  const first = await fixture.open('#/', { context });
  const second = await fixture.open('#/', { context });
  await second.locator('.connection[data-phase="live"]').waitFor();
  const count = async () => (await fixture.server.get('/api/clients')).count;
  assert.equal(await count(), 1);
  const id = await fixture.server.startSession('list');
  for (const page of [first, second]) await page.locator(`.card[data-session-id="${id}"]`).waitFor();
  await first.close();
  const next = await fixture.server.startSession('count');
  await second.locator(`.card[data-session-id="${next}"]`).waitFor();
  await until(async () => (await count()) === 1, 'one connection again');
});

test('R_PAGE_1 at the limit of watchers the page shows that it waits, and connects when one leaves', async () => {
  fixture.browser.expected = [/503/];
  const watchers = [];
  await fixture.server.startSession('list');
  await until(async () => (await fixture.server.get('/api/clients')).count === 0, 'there are no watchers');
  for (let i = 0; i < 2; ++i) {
    const stop = new AbortController();
    const stream = await fetch(`${fixture.server.url}/api/events`, { signal: stop.signal });
    watchers.push({ stop, stream }); // an unreferenced stream would be closed
  }
  const page = await fixture.open('#/');
  await page.locator('.connection[data-phase="reconnecting"]').waitFor();
  await page.locator('.card').first().waitFor(); // sessions are shown without a stream
  await fixture.browser.screenshot(page, 'at-the-limit');
  for (const { stop } of watchers) stop.abort();
  await page.locator('.connection[data-phase="live"]').waitFor({ timeout: 20_000 });
});
