import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageFixture } from './lib/fixture.mjs';
import { until } from '../support/until.mjs';

const fixture = pageFixture();

test('R_PAGE_2 going back restores the scroll position, and a new view begins at its top', async () => {
  const ids = [];
  for (let i = 0; i < 9; ++i) ids.push(await fixture.server.startSession('list', { title: `Session ${i}` }));
  const page = await fixture.open('#/', { viewport: { width: 700, height: 500 } });
  await page.locator('.card').nth(8).waitFor();
  const top = () => page.locator('main').evaluate((main) => main.scrollTop);
  for (const id of ids) await fixture.server.idle(id);
  await until(async () => (await page.locator('.card[data-activity="idle"]').count()) === 9, 'none works');
  await page.locator('main').evaluate((main) => main.scrollTo(0, 400));
  await until(async () => (await top()) === 400, 'it is scrolled');
  await page.locator('.card-link').nth(5).evaluate((link) => link.click());
  await page.locator('.bubble').first().waitFor();
  await page.goBack();
  await page.locator('.card').nth(8).waitFor();
  await until(async () => (await top()) === 400, 'it is scrolled again');
  await page.goForward();
  await page.locator('.bubble').first().waitFor();
  await page.keyboard.press('o'); // a new visit
  await page.locator('.card').nth(8).waitFor();
  assert.equal(await top(), 0);
});

test('R_PAGE_2 Escape leaves the message box, and the keys work again', async () => {
  const id = await fixture.server.startSession('list');
  const page = await fixture.open(`#/sessions/${id}`);
  await page.locator('#composer').waitFor();
  await page.keyboard.press('c');
  await page.keyboard.type('an open draft');
  await page.keyboard.press('Escape');
  assert.notEqual(await page.evaluate(() => document.activeElement.id), 'composer');
  await page.keyboard.press('n');
  await page.locator('h1', { hasText: 'Needs you' }).waitFor();
  await page.goBack();
  assert.equal(await page.locator('#composer').inputValue(), 'an open draft');
});

test('R_PAGE_2 a wide table scrolls on a narrow screen instead of breaking its words', async () => {
  const columns = ['Identifier', 'Description', 'Environment', 'Responsible', 'Duration', 'Successful', 'Repository', 'Comment'];
  const row = (cells) => `| ${cells.join(' | ')} |`;
  const table = [row(columns), row(columns.map(() => '---')), row(columns.map((name) => name.toLowerCase()))].join('\n');
  const name = 'table';
  await fixture.server.hook(name, 'user-prompt-submit', { prompt: 'a table, please' });
  await fixture.server.hook(name, 'stop', { last_assistant_message: table });
  const page = await fixture.open(`#/sessions/${name}`, { viewport: { width: 390, height: 844 } });
  const frame = page.locator('.markdown .table-frame');
  await frame.waitFor();
  const size = await frame.evaluate((element) => ({ client: element.clientWidth, scroll: element.scrollWidth, body: document.documentElement.scrollWidth }));
  assert.ok(size.scroll > size.client + 100, JSON.stringify(size));
  assert.ok(size.body <= 390, JSON.stringify(size));
  const heights = await frame.locator('th').evaluateAll((cells) => cells.map((cell) => cell.clientHeight));
  assert.ok(heights.every((height) => height < 40), `the head is ${heights} px high`);
});
