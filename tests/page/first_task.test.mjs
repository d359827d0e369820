import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageFixture } from './lib/fixture.mjs';

const fixture = pageFixture();

test('R_PAGE_2 one click starts a sample task, and its first steps show no failure', async () => {
  const page = await fixture.open('#/');
  await page.getByRole('button', { name: /write notes\.txt/ }).click();
  await page.locator('.dock .ask').getByRole('button', { name: 'Allow' }).click();
  await page.locator('.completion[data-status="completed"]').waitFor();
  await page.locator('.bubble', { hasText: 'Done: I wrote' }).waitFor();
  assert.equal(await page.locator('[data-status="error"], .notice[data-tone="bad"]').count(), 0);
});
