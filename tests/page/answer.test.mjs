import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { house } from './lib/house.mjs';
import { until } from './lib/until.mjs';

const home = house();

test('R_PAGE_2 a permission shows what would be done, is answered, and everyone sees it resolved', async () => {
  const id = await home.server.session('write notes.txt: hello from the page');
  const one = await home.open('#/needs-you');
  const other = await home.open('#/needs-you');
  const need = one.locator('.need', { hasText: 'Write notes.txt' });
  await need.locator('.diff-added', { hasText: 'hello from the page' }).waitFor();
  await other.locator('.need', { hasText: 'Write notes.txt' }).waitFor();
  assert.match(await one.title(), /^\(1\) /);
  await home.browser.shot(one, 'needs-you');
  await need.getByRole('button', { name: 'Allow' }).click();
  await one.getByText('Nothing waits for you').waitFor();
  await other.getByText('Nothing waits for you').waitFor();
  await home.server.rested(id);
  assert.equal(fs.readFileSync(path.join(home.server.workspace, 'notes.txt'), 'utf8').trim(), 'hello from the page');
  await until(async () => !(await one.title()).startsWith('('), 'the title no longer counts it');
});

test('R_PAGE_2 a question is answered by a key, and in the session itself', async () => {
  const id = await home.server.session('ask');
  const page = await home.open('#/needs-you');
  await page.locator('.ask[data-has-keys]').waitFor();
  await page.keyboard.press('2');
  await page.getByText('Nothing waits for you').waitFor();
  const resolved = (await home.server.journal(id)).find((event) => event.type === 'permission' && event.status !== 'pending');
  assert.equal(resolved.data.option_id, 'coffee');
  await home.server.say(id, 'ask');
  await page.goto(home.at(`#/sessions/${id}`));
  await page.locator('.dock .ask').getByRole('button', { name: 'Tea' }).click();
  await until(async () => (await page.locator('.asked', { hasText: 'Tea' }).count()) > 0, 'the conversation tells the answer');
});

test('R_PAGE_2 the first answer counts, and a later one is told so', async () => {
  const id = await home.server.session('ask');
  const page = await home.open(`#/sessions/${id}`);
  await page.locator('.dock .ask').waitFor();
  home.browser.expected = [/409/, /503/];
  home.proxy.refuse = { status: 409, matches: (path) => path.includes('/permissions/') };
  await page.locator('.dock .ask').getByRole('button', { name: 'Tea' }).click();
  await page.getByText('Somebody else was first').waitFor();
  home.proxy.refuse = undefined;
  const { permissions } = await home.server.get(`/api/sessions/${id}`);
  await home.server.post(`/api/sessions/${id}/permissions/${permissions[0].permission_id}`, { option_id: 'neither' });
  await until(async () => (await page.locator('.dock .ask').count()) === 0, 'the question is gone');
});

test('R_PAGE_2 an answer that did not arrive says so, and can be given again', async () => {
  const id = await home.server.session('ask');
  const page = await home.open(`#/sessions/${id}`);
  home.browser.expected = [/503/];
  home.proxy.refuse = { status: 503, matches: (path) => path.includes('/permissions/') };
  const ask = page.locator('.dock .ask');
  await ask.getByRole('button', { name: 'Tea' }).click();
  await ask.getByText('Not answered: all places are taken').waitFor();
  home.proxy.refuse = undefined;
  await ask.getByRole('button', { name: 'Tea' }).click();
  await home.server.rested(id);
});
