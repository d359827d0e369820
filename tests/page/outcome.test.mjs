import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pageFixture } from './lib/fixture.mjs';
import { until } from '../support/until.mjs';

const fixture = pageFixture();

const card = (page, id) => page.locator(`.card[data-session-id="${id}"]`);

// Waits until the card of a session has this state and this reason.
async function shows(page, id, activity, reason) {
  await page.locator(`.card[data-session-id="${id}"][data-activity="${activity}"]`, { hasText: reason }).waitFor();
}

test('R_TRUTH_2 a failed and an interrupted task are shown as such with the reason, live and after a reload', async () => {
  const page = await fixture.open('#/');
  const failed = await fixture.server.startSession('fail', { title: 'fails' });
  const interrupted = await fixture.server.startSession('slow 600s list', { title: 'is interrupted' });
  const done = await fixture.server.startSession('list', { title: 'is done' });
  await until(async () => (await fixture.server.get(`/api/sessions/${interrupted}`)).status === 'running', 'it works');
  await fixture.server.post(`/api/sessions/${interrupted}/cancel`);
  for (let visit = 0; visit < 2; ++visit) {
    await shows(page, failed, 'failed', 'failed on request');
    await shows(page, interrupted, 'interrupted', 'Interrupted by local');
    await shows(page, done, 'idle', 'idle');
    assert.equal(await page.locator('.count[data-activity="failed"] .count-number').textContent(), '1');
    await page.reload();
  }
  await card(page, failed).click();
  await page.locator('.session-head .pill', { hasText: 'failed' }).waitFor();
  await fixture.server.sendMessage(failed, 'list');
  await page.locator('.session-head .pill', { hasText: 'idle' }).waitFor();
});

test('R_TRUTH_2 a question that a killed server lost needs the user, and says which one it was', async () => {
  const id = await fixture.server.startSession('ask', { title: 'loses its question' });
  const working = await fixture.server.startSession('slow 600s list', { title: 'loses its work' });
  await until(async () => (await fixture.server.get(`/api/sessions/${id}`)).permissions.length > 0, 'it asks');
  await until(async () => (await fixture.server.get(`/api/sessions/${working}`)).status === 'running', 'it works');
  const page = await fixture.open('#/');
  fixture.browser.expected = [/ERR_/, /Failed to load/];
  await fixture.server.kill();
  await fixture.server.start();
  for (let visit = 0; visit < 2; ++visit) {
    await shows(page, id, 'needs_you', 'Question lost: Tea or coffee?');
    await shows(page, working, 'interrupted', 'Interrupted');
    await page.reload();
  }
  await page.goto(fixture.urlOf('#/needs-you'));
  await page.locator('.need[data-kind="lost"]', { hasText: 'Tea or coffee?' }).getByRole('link', { name: 'Open' }).click();
  await fixture.server.sendMessage(id, 'list');
  await page.locator('.session-head .pill', { hasText: 'idle' }).waitFor();
});

test('R_PAGE_2 a card shows how a long answer begins', async () => {
  fs.mkdirSync(path.join(fixture.server.workspace, 'many'));
  for (let i = 0; i < 40; ++i) fs.writeFileSync(path.join(fixture.server.workspace, 'many', `${'a-file-with-a-long-name-'.repeat(4)}${i}.txt`), '');
  const id = await fixture.server.startSession('list many', { title: 'lists much' });
  const { text: answer } = await until(async () => (await fixture.server.events(id)).find((event) => event.type === 'completion'), 'it has answered');
  assert.ok(answer.length > 600, answer);
  const page = await fixture.open('#/');
  await page.locator(`.card[data-session-id="${id}"] .card-text`, { hasText: answer.slice(0, 20) }).waitFor();
});
