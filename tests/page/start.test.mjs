import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { bubbles, recordCounts, pageFixture, settled } from './lib/fixture.mjs';
import { until } from '../support/until.mjs';

const fixture = pageFixture();

test('R_PAGE_2 a session started from the page is shown working and completed', async () => {
  const page = await fixture.open('#/');
  await page.locator('.first-run').getByText('No agents yet').waitFor();
  await fixture.browser.screenshot(page, 'empty');
  await page.keyboard.press('s');
  await page.getByLabel('Prompt').fill('search never');
  await page.getByLabel('Project').fill('shop');
  await page.getByLabel('Directory').fill(fixture.server.workspace);
  await fixture.browser.screenshot(page, 'start');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.locator('.completion[data-status="completed"]').waitFor();
  const shown = await bubbles(page);
  assert.deepEqual(shown.map(({ role }) => role), ['user', 'agent', 'agent']);
  assert.equal(shown[0].text, 'search never');
  assert.match(shown[2].text, /I found 1 line/);
  const tool = page.locator('.tool[data-status="ok"]');
  await tool.getByRole('button').click();
  assert.match(await tool.textContent(), /README\.md:3/);
  await fixture.browser.screenshot(page, 'session');
  await page.keyboard.press('o');
  await page.locator('.card', { hasText: 'search never' }).locator('.pill', { hasText: 'idle' }).waitFor();
});

test('R_PAGE_2 a typed message is sent, shown at once, queued while the agent works, and confirmed', async () => {
  const id = await fixture.server.startSession('slow 2s list');
  const page = await fixture.open(`#/sessions/${id}`);
  const box = page.getByLabel('Message to the agent');
  await box.fill('count');
  await box.press('Enter');
  await page.locator('.bubble[data-role="user"]', { hasText: 'count' }).waitFor({ timeout: 1000 }); // fails if there are two
  assert.equal(await box.inputValue(), '');
  await page.locator('.tag', { hasText: 'queued' }).waitFor();
  await until(async () => (await page.locator('.completion[data-status="completed"]').count()) === 2, 'both tasks are complete');
  assert.equal(await page.locator('.bubble', { hasText: /^count/ }).count(), 1);
  assert.equal(await page.locator('[data-pending]').count(), 0);
});

test('R_PAGE_2 a message is shown exactly once when its event arrives before the response', async (t) => {
  const id = await fixture.server.startSession('list');
  await fixture.server.idle(id);
  const page = await fixture.open(`#/sessions/${id}`);
  const box = page.getByLabel('Message to the agent');
  await box.fill('count the lines');
  const counts = await recordCounts(page, 'count the lines');
  await page.evaluate(() => setInterval(() => document.querySelector('.scroller').dispatchEvent(new Event('scroll')), 1)); // renders the list at any moment
  const release = fixture.proxy.holdResponses((request) => request.url.endsWith('/messages'));
  t.after(release);
  const responded = page.waitForResponse((response) => response.url().endsWith('/messages'));
  await box.press('Enter');
  await page.locator('.bubble[data-role="user"][data-turn-id]', { hasText: 'count the lines' }).waitFor();
  await until(async () => (await page.locator('.completion[data-status="completed"]').count()) === 2, 'its task is complete');
  assert.deepEqual(await counts(), [0, 1]);
  assert.equal(await page.locator('[data-pending]').count(), 0);
  release();
  await (await responded).finished();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))); // the response is rendered
  assert.deepEqual(await counts(), [0, 1]);
  assert.equal(await page.locator('[data-pending]').count(), 0);
});

test('R_PAGE_2 a message is shown exactly once when the response arrives before its event', async () => {
  const id = await fixture.server.startSession('list');
  await fixture.server.idle(id);
  const page = await fixture.open(`#/sessions/${id}`);
  await page.locator('.connection[data-phase="live"]').waitFor();
  const box = page.getByLabel('Message to the agent');
  await box.fill('count the words');
  const counts = await recordCounts(page, 'count the words');
  fixture.proxy.pauseStreams();
  await box.press('Enter');
  await page.locator('.bubble[data-pending="sent"]', { hasText: 'count the words' }).waitFor();
  await fixture.server.idle(id);
  assert.deepEqual(await counts(), [0, 1]);
  fixture.proxy.resumeStreams();
  await page.locator('.bubble[data-role="user"][data-turn-id]', { hasText: 'count the words' }).waitFor();
  await until(async () => (await page.locator('.completion[data-status="completed"]').count()) === 2, 'its task is complete');
  assert.deepEqual(await counts(), [0, 1]);
  assert.equal(await page.locator('[data-pending]').count(), 0);
});

test('R_PAGE_2 a working agent is interrupted from the page, and its session ended', async () => {
  const id = await fixture.server.startSession('slow 600s list');
  const page = await fixture.open(`#/sessions/${id}`);
  await page.getByRole('button', { name: 'Interrupt' }).click();
  await page.locator('.completion[data-status="cancelled"]').waitFor();
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('button', { name: 'End session' }).click();
  await page.locator('.composer-closed', { hasText: 'Session ended' }).waitFor();
  assert.equal((await fixture.server.get(`/api/sessions/${id}`)).status, 'completed');
});

test('R_PAGE_2 a message that fails shows the reason, keeps its text, and is accepted once when retried', async () => {
  const id = await fixture.server.startSession('list');
  await fixture.server.idle(id);
  const page = await fixture.open(`#/sessions/${id}`);
  fixture.browser.expected = [/503/];
  fixture.rejection = { status: 503, retryAfter: 1, matches: (path) => path.endsWith('/messages') };
  const box = page.getByLabel('Message to the agent');
  await box.fill('count and keep this');
  await box.press('Enter');
  const failed = page.locator('.bubble[data-pending="failed"]');
  await failed.waitFor();
  assert.match(await failed.textContent(), /count and keep this.*Not sent: too many clients/s);
  await failed.getByRole('button', { name: 'Edit' }).click();
  assert.equal(await box.inputValue(), 'count and keep this');
  await box.press('Enter');
  await failed.waitFor();
  fixture.rejection = undefined;
  await failed.getByRole('button', { name: 'Retry' }).click();
  await page.locator('.bubble[data-role="user"][data-turn-id]', { hasText: 'count and keep this' }).waitFor();
  await fixture.server.idle(id);
  const sent = (await fixture.server.events(id)).filter((event) => event.type === 'message' && event.role === 'user');
  assert.deepEqual(sent.map((event) => event.text), ['list', 'count and keep this']);
});

test('R_PAGE_2 a session that fails to start keeps the form and shows the reason', async () => {
  const page = await fixture.open('#/start');
  fixture.browser.expected = [/400/];
  await page.getByLabel('Prompt').fill('list');
  await page.getByLabel('Directory').fill('not/absolute');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  assert.match(await page.getByRole('alert').textContent(), /Not started: .*workspace/);
  assert.equal(await page.getByLabel('Prompt').inputValue(), 'list');
});

test('R_PAGE_2 a failed agent is shown with its reason, and the overview counts it', async () => {
  const id = await fixture.server.startSession('crash');
  const page = await fixture.open(`#/sessions/${id}`);
  await page.locator('.notice[data-tone="bad"]', { hasText: 'SIGABRT' }).waitFor();
  await page.locator('.session-head .pill', { hasText: 'failed' }).waitFor();
  await page.keyboard.press('o');
  await page.locator('.count[data-activity="failed"] .count-number', { hasText: '1' }).waitFor();
  await page.locator('.count[data-activity="failed"]').click();
  await until(async () => (await page.locator('.card').count()) === 1, 'only the failed session is shown');
  assert.match(page.url(), /state=failed/);
});

test('R_PAGE_2 a past session is replayed from the journal, from any position', async () => {
  const id = await fixture.server.startSession('search never');
  await fixture.server.idle(id);
  const page = await fixture.open(`#/sessions/${id}`);
  await settled(page);
  const total = (await bubbles(page)).length;
  assert.equal(total, 3);
  await page.getByRole('button', { name: 'Replay' }).click();
  const position = page.getByLabel('Position');
  await position.waitFor();
  await position.fill('0');
  await until(async () => (await page.locator('.bubble[data-role="agent"]').count()) === 0, 'no message of the agent is shown');
  await position.fill(await position.getAttribute('max'));
  await until(async () => (await bubbles(page)).length === total, 'all messages are shown');
  const all = (await fixture.server.events(id)).length;
  await page.locator('.replay-count', { hasText: `${all} / ${all}` }).waitFor();
  await page.getByRole('button', { name: 'Exit replay' }).click();
  await page.getByLabel('Message to the agent').waitFor();
});

test('R_PAGE_2 files are sent with a message and can be downloaded, and a failed upload is kept', async () => {
  const content = Buffer.from('what the screen showed\r\n\u2603 and a tab\t.\n');
  const id = await fixture.server.startSession('list');
  await fixture.server.idle(id);
  const page = await fixture.open(`#/sessions/${id}`);
  fixture.browser.expected = [/503/];
  fixture.rejection = { status: 503, matches: (path) => path === '/api/turns' };
  await page.locator('input[type="file"]').setInputFiles({ name: 'shot.txt', mimeType: 'text/plain', buffer: content });
  const box = page.getByLabel('Message to the agent');
  await box.fill('what is wrong here?');
  await box.press('Enter');
  const failed = page.locator('.bubble[data-pending="failed"]');
  await failed.waitFor();
  assert.match(await failed.textContent(), /what is wrong here\?.*shot\.txt.*Not sent/s);
  await failed.getByRole('button', { name: 'Edit' }).click();
  await page.locator('.composer .files', { hasText: 'shot.txt' }).waitFor();
  assert.equal(await box.inputValue(), 'what is wrong here?');
  fixture.rejection = undefined;
  await box.press('Enter');
  const link = page.locator('.bubble[data-role="user"][data-turn-id]').getByRole('link', { name: 'shot.txt' });
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  assert.equal(download.suggestedFilename(), 'shot.txt');
  assert.deepEqual(fs.readFileSync(await download.path()), content);
  await fixture.server.idle(id);
  const output = (await fixture.server.events(id)).filter((event) => event.type === 'tool_result').at(-1).text;
  assert.match(output, /what the screen showed/); // the agent has read it
  await page.locator('.bubble[data-role="agent"]', { hasText: 'shot.txt' }).waitFor();
  await fixture.browser.screenshot(page, 'files');
  assert.equal(await page.locator('.bubble[data-role="user"]', { hasText: 'shot.txt' }).count(), 1);
});

test('R_PAGE_2 past sessions are imported with progress', async () => {
  const lines = ['user', 'assistant'].map((role, i) => JSON.stringify({
    type: role, uuid: `p${i}`, timestamp: `2026-11-0${i + 1}T10:00:00.000Z`, sessionId: 'past-1', cwd: fixture.server.workspace,
    message: { role, content: role === 'user' ? 'a question of the past' : [{ type: 'text', text: 'An answer of the past.' }] },
  }));
  fs.writeFileSync(path.join(fixture.server.transcripts, 'past-1.jsonl'), `${lines.join('\n')}\n`);
  const page = await fixture.open('#/import');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('status').getByText(/Done: 1 new session/).waitFor();
  await page.getByRole('link', { name: 'Show agents' }).click();
  await page.locator('.card', { hasText: 'a question of the past' }).click();
  await page.locator('.bubble', { hasText: 'An answer of the past.' }).waitFor();
});

test('R_PAGE_2 a follow-up of an ended session starts from what was said, after the user has read it', async () => {
  const id = await fixture.server.startSession('search never');
  await fixture.server.idle(id);
  const page = await fixture.open(`#/sessions/${id}`);
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('button', { name: 'End session' }).click();
  await page.locator('.composer-closed').waitFor();
  await page.getByRole('button', { name: 'Follow up' }).click();
  const prompt = page.getByLabel('Prompt');
  assert.match(await prompt.inputValue(), /User: search never\n\nAgent: I search all files/);
  assert.equal(await page.getByLabel('Directory').inputValue(), fixture.server.workspace);
  await prompt.fill('list');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.locator('.completion[data-status="completed"]').waitFor();
  assert.ok(!page.url().includes(id));
});
