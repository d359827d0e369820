import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pageFixture } from './lib/fixture.mjs';
import { until } from '../support/until.mjs';

const fixture = pageFixture();

test('R_PAGE_2 a permission request shows its effect, is answered, and is resolved in every tab', async () => {
  const id = await fixture.server.startSession('write notes.txt: hello from the page');
  const first = await fixture.open('#/needs-you');
  const second = await fixture.open('#/needs-you');
  const need = first.locator('.need', { hasText: 'Write notes.txt' });
  await need.locator('.ask-row', { hasText: 'hello from the page' }).waitFor();
  await second.locator('.need', { hasText: 'Write notes.txt' }).waitFor();
  assert.match(await first.title(), /^\(1\) /);
  await fixture.browser.screenshot(first, 'needs-you');
  await need.getByRole('button', { name: 'Allow' }).click();
  await first.getByText('Nothing needs you').waitFor();
  await second.getByText('Nothing needs you').waitFor();
  await fixture.server.idle(id);
  assert.equal(fs.readFileSync(path.join(fixture.server.workspace, 'notes.txt'), 'utf8').trim(), 'hello from the page');
  await until(async () => !(await first.title()).startsWith('('), 'the title no longer counts it');
});

test('R_PAGE_2 a question is answered with a key, and in the session', async () => {
  const id = await fixture.server.startSession('ask');
  const page = await fixture.open('#/needs-you');
  await page.locator('.ask[data-keys="on"]').waitFor();
  await page.keyboard.press('2');
  await page.getByText('Nothing needs you').waitFor();
  const resolved = (await fixture.server.events(id)).find((event) => event.type === 'permission' && event.status !== 'pending');
  assert.equal(resolved.data.option_id, 'coffee');
  await fixture.server.sendMessage(id, 'ask');
  await page.goto(fixture.urlOf(`#/sessions/${id}`));
  await page.locator('.dock .ask').getByRole('button', { name: 'Tea' }).click();
  await until(async () => (await page.locator('.ask-item', { hasText: 'Tea' }).count()) > 0, 'the conversation shows the answer');
});

test('R_PAGE_2 the first answer counts, and a later one reports the conflict', async () => {
  const id = await fixture.server.startSession('ask');
  const page = await fixture.open(`#/sessions/${id}`);
  await page.locator('.dock .ask').waitFor();
  fixture.browser.expected = [/409/, /503/];
  fixture.rejection = { status: 409, matches: (path) => path.includes('/permissions/') };
  await page.locator('.dock .ask').getByRole('button', { name: 'Tea' }).click();
  await page.getByText('Already answered').waitFor();
  fixture.rejection = undefined;
  const { permissions } = await fixture.server.get(`/api/sessions/${id}`);
  await fixture.server.post(`/api/sessions/${id}/permissions/${permissions[0].permission_id}`, { option_id: 'neither' });
  await until(async () => (await page.locator('.dock .ask').count()) === 0, 'the question is gone');
});

test('R_PAGE_2 an answer that fails reports the reason and can be retried', async () => {
  const id = await fixture.server.startSession('ask');
  const page = await fixture.open(`#/sessions/${id}`);
  fixture.browser.expected = [/503/];
  fixture.rejection = { status: 503, matches: (path) => path.includes('/permissions/') };
  const ask = page.locator('.dock .ask');
  await ask.getByRole('button', { name: 'Tea' }).click();
  await ask.getByText('Not sent: too many clients').waitFor();
  fixture.rejection = undefined;
  await ask.getByRole('button', { name: 'Tea' }).click();
  await fixture.server.idle(id);
});
