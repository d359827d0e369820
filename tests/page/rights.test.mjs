import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageFixture, settled } from './lib/fixture.mjs';
import { until } from '../support/until.mjs';

const fixture = pageFixture();

// Opens a page whose requests carry a token with these scopes.
async function openWith(scopes, hash) {
  const token = fixture.server.run('token', 'create', scopes.replace(/,/g, '-'), '--scopes', scopes).trim();
  const headers = { Authorization: `Bearer ${token}` };
  await until(async () => (await fetch(`${fixture.server.url}/api/me`, { headers })).ok, 'the server knows the token');
  const page = await fixture.open(hash, { extraHTTPHeaders: headers });
  await page.locator('.connection[data-phase="live"]').waitFor();
  return page;
}

const buttons = async (page) => (await page.locator('.session-actions button, .dock button').allTextContents()).map((text) => text.trim());
const views = (page) => page.locator('nav[aria-label="Views"] a span:first-of-type').allTextContents();

test('R_AUTH_3 what a read-only login cannot do is not offered', async () => {
  const id = await fixture.server.startSession('ask');
  await until(async () => (await fixture.server.get(`/api/sessions/${id}`)).permissions.length > 0, 'it asks');
  const page = await openWith('read', `#/sessions/${id}`);
  await page.locator('.dock').getByText('Your login cannot answer questions.').waitFor();
  await page.locator('.dock').getByText('Your login cannot send messages.').waitFor();
  await settled(page);
  assert.deepEqual(await buttons(page), ['Replay']);
  assert.deepEqual(await views(page), ['Agents', 'Needs you', 'Search', 'Events', 'System']);
  await page.keyboard.press('s');
  await page.keyboard.press('n');
  const need = page.locator('.need');
  await need.locator('.ask-title', { hasText: 'Tea or coffee?' }).waitFor();
  assert.equal(await need.locator('button').count(), 0);
  await page.goto(fixture.urlOf('#/start'));
  await page.getByText('Not allowed').waitFor();
  await page.goto(fixture.urlOf('#/import'));
  await page.getByText('Not allowed').waitFor();
});

test('R_AUTH_3 a login with the scope answer answers, and cannot send', async () => {
  const id = await fixture.server.startSession('ask');
  const page = await openWith('read,answer', `#/sessions/${id}`);
  await page.locator('.dock').getByText('Your login cannot send messages.').waitFor();
  await page.getByRole('button', { name: 'Tea' }).click();
  await page.locator('.ask-item', { hasText: 'Tea' }).waitFor();
  assert.equal(await page.locator('#composer').count(), 0);
});
