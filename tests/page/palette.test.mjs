import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seriousFindings } from './lib/browser.mjs';
import { pageFixture, settled } from './lib/fixture.mjs';
import { until } from '../support/until.mjs';

const fixture = pageFixture();

async function openPalette(page) {
  await page.keyboard.press('Control+k');
  return page.getByRole('dialog', { name: 'Commands' });
}

test('R_PAGE_2 the palette goes to sessions, questions and views, and starts an agent', async () => {
  const id = await fixture.server.startSession('ask', { title: 'Which drink?' });
  await until(async () => (await fixture.server.get(`/api/sessions/${id}`)).permissions.length > 0, 'it asks');
  const other = await fixture.server.startSession('list', { title: 'Hostile \u202etitle' });
  await fixture.server.idle(other);
  const page = await fixture.open('#/');
  await page.locator('.card').nth(1).waitFor();
  const palette = await openPalette(page);
  assert.deepEqual((await palette.getByRole('option').allTextContents()).slice(0, 3), ['AnswerTea or coffee?Which drink?', 'ViewAgentso', 'ViewNeeds youn']);
  assert.deepEqual(await seriousFindings(page), []);
  await fixture.browser.screenshot(page, 'palette');
  await page.keyboard.type('hostile');
  assert.match(await palette.getByRole('option').first().textContent(), /^SessionHostile \u27e8U\+202E\u27e9title.*idle$/);
  await page.keyboard.press('Enter');
  await page.locator('h1', { hasText: 'Hostile' }).waitFor();
  assert.equal(await palette.count(), 0);

  await page.locator('#composer').focus();
  await openPalette(page); // also while typing
  await page.keyboard.type('tea or');
  await page.keyboard.press('Enter');
  await page.locator('.dock .ask-title', { hasText: 'Tea or coffee?' }).waitFor();

  await openPalette(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.locator('h1', { hasText: 'Needs you' }).waitFor();

  await openPalette(page);
  await page.keyboard.type('count all the things');
  await page.keyboard.press('Enter');
  assert.equal(await page.getByLabel('Prompt').inputValue(), 'count all the things');

  await openPalette(page);
  await page.keyboard.press('Escape');
  await until(async () => (await palette.count()) === 0, 'it is closed');
});

test('R_PAGE_2 messages, code and links are copied, as they are shown', async () => {
  await fixture.server.hook('copied', 'user-prompt-submit', { prompt: 'show me' });
  await fixture.server.hook('copied', 'pre-tool-use', { tool_name: 'Bash', tool_input: { command: 'rm \u202e-rf build' }, tool_use_id: 'c1' });
  await fixture.server.hook('copied', 'post-tool-use', { tool_name: 'Bash', tool_input: { command: 'rm \u202e-rf build' }, tool_response: { stdout: 'done' }, tool_use_id: 'c1' });
  await fixture.server.hook('copied', 'stop', { last_assistant_message: 'Run this:\n\n```sh\nmake all\n```\n' });
  const context = await fixture.browser.context({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await fixture.open('#/sessions/copied', { context });
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const answer = page.locator('.bubble[data-role="agent"]');
  await answer.hover();
  await answer.getByRole('button', { name: 'Copy code' }).click();
  await answer.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await copied(), 'make all');
  await answer.getByRole('button', { name: 'Copy message' }).click();
  await until(async () => (await copied()).startsWith('Run this:'), 'the message is copied');
  await page.locator('.tool-head').click();
  await page.getByRole('button', { name: 'Copy command' }).click();
  await until(async () => (await copied()) === 'rm \u27e8U+202E\u27e9-rf build', 'the command is copied with its hidden character');
});

test('R_PAGE_2 a link to a message opens the session there', async () => {
  const id = await fixture.server.startSession('list');
  for (let i = 0; i < 12; ++i) await fixture.server.sendMessage(id, i === 3 ? 'count this one' : 'search never');
  await fixture.server.idle(id);
  const context = await fixture.browser.context({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await fixture.open(`#/sessions/${id}`, { context });
  await settled(page);
  await page.locator('.scroller').evaluate((scroller) => scroller.scrollTo(0, 0));
  const message = page.locator('.bubble[data-role="user"]', { hasText: 'count this one' });
  await message.hover();
  await message.getByRole('button', { name: 'Copy link' }).click();
  await message.getByRole('button', { name: 'Copied' }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(link.startsWith(`${fixture.urlOf(`#/sessions/${id}?at=`)}`), link);
  const other = await fixture.browser.page(link);
  await other.locator('.row[data-linked]', { hasText: 'count this one' }).waitFor();
  await settled(other);
  const place = await other.evaluate(() => {
    const frame = document.querySelector('.scroller').getBoundingClientRect();
    const row = document.querySelector('.row[data-linked]').getBoundingClientRect();
    return row.top >= frame.top && row.bottom <= frame.bottom;
  });
  assert.ok(place, 'it is visible');
});
