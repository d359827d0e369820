import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seriousFindings } from './lib/browser.mjs';
import { pageFixture } from './lib/fixture.mjs';
import { until } from '../support/until.mjs';

const fixture = pageFixture();

// Starts sessions that ask, one after the other, and returns their ids.
async function ask(...titles) {
  const ids = [];
  for (const title of titles) {
    const id = await fixture.server.startSession('ask', { title });
    await until(async () => (await fixture.server.get(`/api/sessions/${id}`)).permissions.length > 0, `${title} asks`);
    ids.push(id);
  }
  return ids;
}

// Collects the answers that a page sends.
function answersOf(page) {
  const answers = [];
  page.on('request', (request) => request.url().includes('/permissions/') && answers.push(request.url()));
  return answers;
}

const selected = (page) => page.locator('.need[aria-current] .need-head a').textContent();
const end = (ids) => Promise.all(ids.map((id) => fixture.server.post(`/api/sessions/${id}/end`)));

test('R_PAGE_2 the selection keeps its place after an answer, and a key that comes too early answers nothing', async () => {
  const ids = await ask('first', 'second', 'third');
  const page = await fixture.open('#/needs-you');
  const answers = answersOf(page);
  await page.locator('.need').nth(2).waitFor();
  await page.keyboard.press('j');
  assert.equal(await selected(page), 'second');
  await page.evaluate(() => {
    // Presses the key of an answer as soon as another question is selected.
    new MutationObserver((_, observer) => {
      if (!document.querySelector('.need[aria-current] .need-head a')?.textContent.includes('third')) return;
      observer.disconnect();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '1', bubbles: true }));
      globalThis.__pressed = true;
    }).observe(document.body, { attributes: true, childList: true, subtree: true });
  });
  await page.locator('.need[aria-current] .ask[data-keys="on"]').waitFor();
  await page.keyboard.press('1');
  await page.waitForFunction(() => globalThis.__pressed);
  await page.locator('.need[aria-current] .ask[data-keys="on"]').waitFor();
  assert.equal(await selected(page), 'third');
  assert.equal(answers.length, 1);
  await page.keyboard.press('1');
  await until(async () => (await page.locator('.need').count()) === 1, 'the third is answered');
  assert.equal(await selected(page), 'first');
  assert.equal((await fixture.server.get(`/api/sessions/${ids[0]}`)).permissions.length, 1);
  await end(ids);
});

test('R_PAGE_2 keys answer the question of a session in its view', async () => {
  const ids = await ask('drinks');
  const page = await fixture.open(`#/sessions/${ids[0]}`);
  await page.locator('.dock .ask[data-keys="on"]').waitFor();
  await page.keyboard.press('2');
  await page.locator('.ask-item', { hasText: 'Coffee' }).waitFor();
  await end(ids);
});

test('R_PAGE_2 the question of an observed agent shows its command and takes no keys', async () => {
  await fixture.server.hook('watched', 'user-prompt-submit', { prompt: 'Clean up' });
  const command = 'rm -rf build \u202e';
  await fixture.server.hook('watched', 'permission-request', { tool_name: 'Bash', tool_input: { command } });
  const ids = await ask('later');
  const page = await fixture.open('#/needs-you');
  const answers = answersOf(page);
  const need = page.locator('.need[data-kind="elsewhere"]');
  await need.locator('.ask-row', { hasText: 'input.command rm -rf build \u27e8U+202E\u27e9' }).waitFor();
  await need.getByText('Answer in the agent\'s terminal').waitFor();
  assert.equal(await selected(page), 'later');
  await page.keyboard.press('k');
  assert.equal(await selected(page), 'later');
  assert.equal(await need.locator('button').count(), 0);
  assert.equal(answers.length, 0);
  assert.deepEqual(await seriousFindings(page), []);
  await fixture.browser.screenshot(page, 'needs-you-observed');
  await fixture.server.hook('watched', 'stop', { last_assistant_message: 'done' });
  await end(ids);
});

test('R_PAGE_2 a failure is dismissed, also for the next visit, and a new one is shown', async () => {
  const id = await fixture.server.startSession('crash', { title: 'crashes' });
  const page = await fixture.open('#/needs-you');
  const failed = page.locator('.need[data-kind="failed"]');
  await failed.getByText('SIGABRT').waitFor();
  await failed.getByRole('button', { name: 'Dismiss' }).click();
  await until(async () => (await failed.count()) === 0, 'it is dismissed');
  await page.reload();
  await page.getByText('Nothing needs you').waitFor();
  assert.equal(await failed.count(), 0);
  await fixture.server.sendMessage(id, 'crash');
  await failed.getByText('SIGABRT').waitFor();
  await end([id]);
});

test('R_PAGE_2 every view lists what needs the user in one order, longest waiting first', async () => {
  const ids = await ask('first', 'second', 'third');
  const page = await fixture.open('#/needs-you');
  await page.locator('.need').nth(2).waitFor();
  const titles = ['first', 'second', 'third'];
  assert.deepEqual(await page.locator('.need .need-head a').allTextContents(), titles);
  assert.deepEqual((await page.locator('.session-list-title').allTextContents()).slice(0, 3), titles);
  await page.keyboard.press('o');
  await page.locator('[data-group="needs_you"] .card').nth(2).waitFor();
  assert.deepEqual(await page.locator('[data-group="needs_you"] .card-title').allTextContents(), titles);
  await end(ids);
});
