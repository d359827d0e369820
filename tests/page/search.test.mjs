import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seriousFindings } from './lib/browser.mjs';
import { pageFixture, settled } from './lib/fixture.mjs';
import { until } from '../support/until.mjs';

const fixture = pageFixture();

// Until the search index has all events.
async function indexed(server, words, count = 1) {
  await until(async () => {
    const found = await server.get(`/api/search?q=${encodeURIComponent(words)}`);
    return found.pending_events === 0 && found.results.length >= count;
  }, `${words} can be found`);
}

const results = (page) => page.locator('.search a.found');

test('R_SEARCH_7 a result is highlighted and opens the session at that message', async () => {
  const { server } = fixture;
  const id = await server.startSession('list', { title: 'Some lists' });
  for (let i = 0; i < 12; ++i) await server.sendMessage(id, i === 3 ? 'count the zebras here' : 'search never');
  await server.idle(id);
  await indexed(server, 'zebras', 3); // the message, and the tool and the answer that repeat it
  const page = await fixture.open('#/');
  await page.keyboard.press('f');
  await page.locator('h1', { hasText: 'Search' }).waitFor();
  await until(() => page.evaluate(() => document.activeElement?.id === 'filter-text'), 'the field has the focus');
  await page.keyboard.type('zebra');
  await results(page).first().waitFor();
  assert.deepEqual(await results(page).first().locator('mark').allTextContents(), ['zebras']);
  assert.match(await results(page).first().textContent(), /^Some lists/);
  assert.match(page.url(), /#\/search\?q=zebra$/);
  assert.deepEqual(await seriousFindings(page), []);
  await fixture.browser.screenshot(page, 'search');
  await until(async () => (await results(page).count()) === 3, 'all are shown');
  for (let i = 0; i < 3; ++i) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.locator('.row[data-linked]', { hasText: 'count the zebras here' }).waitFor();
  await settled(page);
  const isVisible = await page.evaluate(() => {
    const frame = document.querySelector('.scroller').getBoundingClientRect();
    const row = document.querySelector('.row[data-linked]').getBoundingClientRect();
    return row.top >= frame.top && row.bottom <= frame.bottom;
  });
  assert.ok(isVisible, 'the message is visible');
  await page.goBack();
  await results(page).first().waitFor();
  assert.equal(await page.locator('#filter-text').inputValue(), 'zebra');
});

test('R_SEARCH_7 a tool that was found is opened', async () => {
  const { server } = fixture;
  await server.hook('tooled', 'user-prompt-submit', { prompt: 'go' });
  await server.hook('tooled', 'pre-tool-use', { tool_name: 'Bash', tool_input: { command: 'make quagga' }, tool_use_id: 'c1' });
  await server.hook('tooled', 'post-tool-use', { tool_name: 'Bash', tool_input: { command: 'make quagga' }, tool_response: { stdout: 'okapi built' }, tool_use_id: 'c1' });
  await indexed(server, 'okapi');
  const page = await fixture.open('#/search?q=okapi&type=tool_result');
  await results(page).first().click();
  await page.locator('.row[data-linked] .tool-body', { hasText: 'okapi built' }).waitFor();
});

test('R_SEARCH_7 the palette searches, and filters narrow the results', async () => {
  const { server } = fixture;
  const id = await server.startSession('list', { title: 'Giraffes of the zoo' });
  await server.sendMessage(id, 'count every giraffe');
  await server.idle(id);
  await indexed(server, 'giraffe*', 2);
  const page = await fixture.open('#/');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('giraffe');
  await page.getByRole('option', { name: 'Search for giraffe' }).click();
  await until(async () => (await results(page).count()) >= 2, 'the title and the message are found');
  assert.match(await results(page).first().textContent(), /^Giraffes of the zoo.*title/);
  await page.getByLabel('Type').selectOption('title');
  await until(async () => (await results(page).count()) === 1, 'only the title is left');
  await page.getByLabel('Type').selectOption('error');
  await page.locator('.search [role="status"]', { hasText: 'Nothing found' }).waitFor();
  await page.locator('#filter-text').fill('');
  await page.locator('.empty-title', { hasText: 'Search all sessions' }).waitFor();
});

test('R_SEARCH_7 hostile text and titles are shown as text', async () => {
  const { server } = fixture;
  const evil = '<img src=x onerror=globalThis.__ran=1><mark>hyena</mark> \u202e \u001b[2J';
  const id = await server.startSession(`${evil} list`, { title: `<script>globalThis.__ran = 1</script> hyena \u202e` });
  await server.idle(id);
  await indexed(server, 'hyena', 2);
  const page = await fixture.open('#/search?q=hyena');
  await until(async () => (await results(page).count()) >= 2, 'both are found');
  assert.equal(await page.evaluate(() => globalThis.__ran), undefined);
  assert.equal(await page.locator('.search :is(img, script)').count(), 0);
  const shown = await page.locator('.search').evaluate((view) => view.textContent);
  assert.ok(shown.includes('<mark>hyena</mark>'), shown);
  assert.doesNotMatch(shown, /[\u0000-\u0008\u000e-\u001f\u202a-\u202e\u2066-\u2069]/);
  for (const words of ['"', '"hyena', 'hyena*', 'a:b OR (', "';--", '\\', 'hyena NOT list', '{text}:x']) {
    await page.locator('#filter-text').fill(words);
    await until(async () => !/Searching/.test(await page.locator('.search [role="status"]').textContent()), words);
    assert.equal(await page.locator('.search [role="alert"]').count(), 0, words);
  }
});

test('R_SEARCH_7 search works on a phone', async () => {
  await indexed(fixture.server, 'hyena');
  const context = await fixture.browser.context({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await fixture.open('#/search?q=hyena', { context });
  await results(page).first().waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing overflows');
  const overlapping = await page.locator('nav a').evaluateAll((links) => links.some((link, i) => i > 0 && link.getBoundingClientRect().left < links[i - 1].getBoundingClientRect().right - 1));
  assert.equal(overlapping, false);
  await fixture.browser.screenshot(page, 'search-phone');
});
