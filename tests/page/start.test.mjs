import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { bubbles, countAlways, house } from './lib/house.mjs';
import { until } from './lib/until.mjs';

const home = house();

test('R_PAGE_2 a session started from the page is seen to work and to finish', async () => {
  const page = await home.open('#/');
  await page.locator('.empty').getByText('No agent yet').waitFor();
  await home.browser.shot(page, 'empty');
  await page.keyboard.press('s');
  await page.getByLabel('Prompt').fill('search never');
  await page.getByLabel('Project').fill('shop');
  await page.getByLabel('Directory').fill(home.server.workspace);
  await home.browser.shot(page, 'start');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.locator('.end[data-status="completed"]').waitFor();
  const said = await bubbles(page);
  assert.deepEqual(said.map(({ role }) => role), ['user', 'agent', 'agent']);
  assert.equal(said[0].text, 'search never');
  assert.match(said[2].text, /I found 1 line/);
  const tool = page.locator('.tool[data-status="ok"]');
  await tool.getByRole('button').click();
  assert.match(await tool.textContent(), /README\.md:3/);
  await home.browser.shot(page, 'session');
  await page.keyboard.press('o');
  await page.locator('.card', { hasText: 'search never' }).locator('.pill', { hasText: 'at rest' }).waitFor();
});

test('R_PAGE_2 what is typed is sent, shown at once, queued while it works, and confirmed', async () => {
  const id = await home.server.session('slow 2s list');
  const page = await home.open(`#/sessions/${id}`);
  const box = page.getByLabel('Message to the agent');
  await box.fill('count');
  await box.press('Enter');
  await page.locator('.bubble[data-role="user"]', { hasText: 'count' }).waitFor({ timeout: 1000 }); // never two of it
  assert.equal(await box.inputValue(), '');
  await page.locator('.tag', { hasText: 'queued' }).waitFor();
  await until(async () => (await page.locator('.end[data-status="completed"]').count()) === 2, 'both turns are done');
  assert.equal(await page.locator('.bubble', { hasText: /^count/ }).count(), 1);
  assert.equal(await page.locator('[data-pending]').count(), 0);
});

test('R_PAGE_2 a message is shown once all the time, when the stream tells of it before the answer', async () => {
  const id = await home.server.session('list');
  await home.server.rested(id);
  const page = await home.open(`#/sessions/${id}`);
  const box = page.getByLabel('Message to the agent');
  await box.fill('count the lines');
  const counts = await countAlways(page, 'count the lines');
  const letGo = home.proxy.keepAnswers((path) => path.endsWith('/messages'));
  const answered = page.waitForResponse((response) => response.url().endsWith('/messages'));
  await box.press('Enter');
  await page.locator('.bubble[data-role="user"][data-turn-id]', { hasText: 'count the lines' }).waitFor();
  await until(async () => (await page.locator('.end[data-status="completed"]').count()) === 2, 'its turn is done');
  assert.deepEqual(await counts(), [0, 1]);
  assert.equal(await page.locator('[data-pending]').count(), 0);
  letGo();
  await (await answered).finished();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))); // what the answer makes is drawn
  assert.deepEqual(await counts(), [0, 1]);
  assert.equal(await page.locator('[data-pending]').count(), 0);
});

test('R_PAGE_2 a message is shown once all the time, when the answer comes before the stream tells of it', async () => {
  const id = await home.server.session('list');
  await home.server.rested(id);
  const page = await home.open(`#/sessions/${id}`);
  await page.locator('.light[data-phase="live"]').waitFor();
  const box = page.getByLabel('Message to the agent');
  await box.fill('count the words');
  const counts = await countAlways(page, 'count the words');
  home.proxy.restStreams();
  await box.press('Enter');
  await page.locator('.bubble[data-pending="sent"]', { hasText: 'count the words' }).waitFor();
  await home.server.rested(id);
  assert.deepEqual(await counts(), [0, 1]);
  home.proxy.wakeStreams();
  await page.locator('.bubble[data-role="user"][data-turn-id]', { hasText: 'count the words' }).waitFor();
  await until(async () => (await page.locator('.end[data-status="completed"]').count()) === 2, 'its turn is done');
  assert.deepEqual(await counts(), [0, 1]);
  assert.equal(await page.locator('[data-pending]').count(), 0);
});

test('R_PAGE_2 an agent at work is interrupted from the page, and a session ended', async () => {
  const id = await home.server.session('slow 600s list');
  const page = await home.open(`#/sessions/${id}`);
  await page.getByRole('button', { name: 'Interrupt' }).click();
  await page.locator('.end[data-status="cancelled"]').waitFor();
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('button', { name: 'End for good' }).click();
  await page.getByText('This session has ended.').waitFor();
  assert.equal((await home.server.get(`/api/sessions/${id}`)).status, 'completed');
});

test('R_PAGE_2 a message that cannot be sent says why, keeps its words, and is taken once when tried again', async () => {
  const id = await home.server.session('list');
  await home.server.rested(id);
  const page = await home.open(`#/sessions/${id}`);
  home.browser.expected = [/503/];
  home.proxy.refuse = { status: 503, retryAfter: 1, matches: (path) => path.endsWith('/messages') };
  const box = page.getByLabel('Message to the agent');
  await box.fill('count and keep this');
  await box.press('Enter');
  const failed = page.locator('.bubble[data-pending="failed"]');
  await failed.waitFor();
  assert.match(await failed.textContent(), /count and keep this.*Not sent: all places are taken/s);
  await failed.getByRole('button', { name: 'Edit' }).click();
  assert.equal(await box.inputValue(), 'count and keep this');
  await box.press('Enter');
  await failed.waitFor();
  home.proxy.refuse = undefined;
  await failed.getByRole('button', { name: 'Try again' }).click();
  await page.locator('.bubble[data-role="user"][data-turn-id]', { hasText: 'count and keep this' }).waitFor();
  await home.server.rested(id);
  const sent = (await home.server.journal(id)).filter((event) => event.type === 'message' && event.role === 'user');
  assert.deepEqual(sent.map((event) => event.text), ['list', 'count and keep this']);
});

test('R_PAGE_2 a session that failed to start keeps what was typed and says what to do', async () => {
  const page = await home.open('#/start');
  home.browser.expected = [/400/];
  await page.getByLabel('Prompt').fill('list');
  await page.getByLabel('Directory').fill('not/absolute');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  assert.match(await page.getByRole('alert').textContent(), /Not started: .*workspace/);
  assert.equal(await page.getByLabel('Prompt').inputValue(), 'list');
});

test('R_PAGE_2 an agent that fails is shown with its reason, and the overview counts it', async () => {
  const id = await home.server.session('crash');
  const page = await home.open(`#/sessions/${id}`);
  await page.locator('.notice[data-tone="bad"]', { hasText: 'SIGABRT' }).waitFor();
  await page.locator('.session-head .pill', { hasText: 'failed' }).waitFor();
  await page.keyboard.press('o');
  await page.locator('.count[data-standing="failed"] .count-number', { hasText: '1' }).waitFor();
  await page.locator('.count[data-standing="failed"]').click();
  await until(async () => (await page.locator('.card').count()) === 1, 'only the failed one is shown');
  assert.match(page.url(), /state=failed/);
});

test('R_PAGE_2 a past session is replayed from the journal, and scrubbed', async () => {
  const id = await home.server.session('search never');
  await home.server.rested(id);
  const page = await home.open(`#/sessions/${id}`);
  const whole = (await bubbles(page)).length;
  await page.getByRole('button', { name: 'Replay' }).click();
  const moment = page.getByLabel('Moment');
  await moment.waitFor();
  await moment.fill('0');
  await until(async () => (await page.locator('.bubble[data-role="agent"]').count()) === 0, 'the agent has said nothing yet');
  await moment.fill(await moment.getAttribute('max'));
  await until(async () => (await bubbles(page)).length === whole, 'all is said');
  const all = (await home.server.journal(id)).length;
  await page.locator('.replay-count', { hasText: `${all} / ${all}` }).waitFor();
  await page.getByRole('button', { name: 'Back to now' }).click();
  await page.getByLabel('Message to the agent').waitFor();
});

test('R_PAGE_2 files go with a message to the agent and are given back; what cannot be uploaded says so and is kept', async () => {
  const content = Buffer.from('what the screen showed\r\n\u2603 and a tab\t.\n');
  const id = await home.server.session('list');
  await home.server.rested(id);
  const page = await home.open(`#/sessions/${id}`);
  home.browser.expected = [/503/];
  home.proxy.refuse = { status: 503, matches: (path) => path === '/api/turns' };
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
  home.proxy.refuse = undefined;
  await box.press('Enter');
  const link = page.locator('.bubble[data-role="user"][data-turn-id]').getByRole('link', { name: 'shot.txt' });
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  assert.equal(download.suggestedFilename(), 'shot.txt');
  assert.deepEqual(fs.readFileSync(await download.path()), content);
  await home.server.rested(id);
  const told = (await home.server.journal(id)).filter((event) => event.type === 'tool_result').at(-1).text;
  assert.match(told, /what the screen showed/); // the agent has read it
  await page.locator('.bubble[data-role="agent"]', { hasText: 'shot.txt' }).waitFor();
  await home.browser.shot(page, 'files');
  assert.equal(await page.locator('.bubble[data-role="user"]', { hasText: 'shot.txt' }).count(), 1);
});

test('R_PAGE_2 past sessions are imported with progress', async () => {
  const lines = ['user', 'assistant'].map((role, i) => JSON.stringify({
    type: role, uuid: `p${i}`, timestamp: `2026-11-0${i + 1}T10:00:00.000Z`, sessionId: 'past-1', cwd: home.server.workspace,
    message: { role, content: role === 'user' ? 'a question of the past' : [{ type: 'text', text: 'An answer of the past.' }] },
  }));
  fs.writeFileSync(path.join(home.server.transcripts, 'past-1.jsonl'), `${lines.join('\n')}\n`);
  const page = await home.open('#/import');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('status').getByText(/Done: 1 new session/).waitFor();
  await page.getByRole('link', { name: 'See them' }).click();
  await page.locator('.card', { hasText: 'a question of the past' }).click();
  await page.locator('.bubble', { hasText: 'An answer of the past.' }).waitFor();
});
