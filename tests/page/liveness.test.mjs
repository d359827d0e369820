import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageFixture } from './lib/fixture.mjs';

const fixture = pageFixture();

test('R_PAGE_1 a server that does not respond is noticed within 10 s, and again when it does', async (t) => {
  const page = await fixture.open('#/');
  await page.locator('.connection[data-phase="live"]').waitFor();
  fixture.server.freeze();
  t.after(() => fixture.server.thaw());
  const frozen = Date.now();
  await page.locator('.connection[data-phase="silent"]').waitFor();
  assert.ok(Date.now() - frozen < 10_000, `after ${Date.now() - frozen} ms`);
  assert.match(await page.locator('.connection').textContent(), /^not responding\s*for \d+ s$/);
  await page.getByText('The server does not respond.').waitFor();
  assert.match(await page.title(), /^\u26a0/);
  await fixture.browser.screenshot(page, 'not-responding');
  fixture.server.thaw();
  await page.locator('.connection[data-phase="live"]').waitFor();
  const id = await fixture.server.startSession('list');
  await page.locator(`.card[data-session-id="${id}"]`).waitFor();
});
