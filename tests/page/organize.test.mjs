import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seriousFindings } from './lib/browser.mjs';
import { pageFixture } from './lib/fixture.mjs';
import { until } from '../support/until.mjs';

const fixture = pageFixture();

const patch = async (id, change) => {
  const response = await fetch(`${fixture.server.url}/api/sessions/${id}`, { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(change) });
  assert.equal(response.status, 200);
};
const card = (page, id) => page.locator(`[data-session-id="${id}"]`);

test('R_ORGANIZE_1 a session is renamed, labelled and pinned in its view, and other watchers see it at once', async () => {
  const id = await fixture.server.startSession('list', { title: 'own title' });
  await fixture.server.idle(id);
  const watcher = await fixture.open('#/');
  await card(watcher, id).first().waitFor();
  const page = await fixture.open(`#/sessions/${id}`);
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('<b>Fix</b> the cart');
  await page.keyboard.press('Enter');
  await page.locator('.session-head h1', { hasText: '<b>Fix</b> the cart' }).waitFor();
  await watcher.getByText('<b>Fix</b> the cart').first().waitFor();
  await page.getByRole('button', { name: 'Labels' }).click();
  await page.getByRole('textbox', { name: /^Labels/ }).fill('shop cart');
  await page.keyboard.press('Enter');
  await page.locator('.session-organize .tag', { hasText: 'shop' }).waitFor();
  await page.getByRole('button', { name: 'Pin', exact: true }).click();
  await page.getByRole('button', { name: 'Unpin' }).waitFor();
  const session = await fixture.server.get(`/api/sessions/${id}`);
  assert.deepEqual([session.title, session.is_pinned, session.labels], ['<b>Fix</b> the cart', true, ['cart', 'shop']]);
  assert.deepEqual(await seriousFindings(page), []);
});

test('R_ORGANIZE_1 an archived session leaves the page, and returns', async () => {
  const id = await fixture.server.startSession('list', { title: 'put away' });
  await fixture.server.idle(id);
  const page = await fixture.open('#/');
  await card(page, id).first().waitFor();
  await patch(id, { is_archived: true });
  await until(async () => (await card(page, id).count()) === 0, 'it has left');
  await page.reload();
  await page.locator('.connection[data-phase="live"]').waitFor();
  assert.equal(await card(page, id).count(), 0);
  await page.goto(fixture.urlOf(`#/sessions/${id}`));
  await page.getByRole('button', { name: 'Unarchive' }).click();
  await page.getByRole('button', { name: 'Archive', exact: true }).waitFor();
  await page.goto(fixture.urlOf('#/'));
  await card(page, id).first().waitFor();
});

test('R_ORGANIZE_1 a change that the server refuses is not shown as done', async () => {
  const id = await fixture.server.startSession('list', { title: 'keeps its labels' });
  const page = await fixture.open(`#/sessions/${id}`);
  fixture.browser.expected = [/400/];
  await page.getByRole('button', { name: 'Labels' }).click();
  await page.getByRole('textbox', { name: /^Labels/ }).fill('no/slash');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'Not saved' }).waitFor();
});
