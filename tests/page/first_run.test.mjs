import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { seriousFindings } from './lib/browser.mjs';
import { pageFixture, settled } from './lib/fixture.mjs';

const fixture = pageFixture();
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

test('R_PAGE_2 an empty page offers to try, to import and to connect', async () => {
  for (let i = 0; i < 2; ++i) {
    const lines = ['user', 'assistant'].map((role, j) => JSON.stringify({
      type: role, uuid: `u${i}${j}`, timestamp: `2026-11-0${j + 1}T10:00:00.000Z`, sessionId: `past-${i}`, cwd: fixture.server.workspace,
      message: { role, content: role === 'user' ? `question ${i} of the past` : [{ type: 'text', text: 'An answer.' }] },
    }));
    fs.writeFileSync(path.join(fixture.server.transcripts, `past-${i}.jsonl`), `${lines.join('\n')}\n`);
  }
  for (const [name, options] of [['wide', { colorScheme: 'dark' }], ['phone', PHONE]]) {
    const page = await fixture.open('#/', options);
    await page.locator('.sample').nth(2).waitFor();
    assert.equal(await page.locator('.sample').count(), 3);
    await page.getByRole('button', { name: 'Import 2 sessions found here' }).waitFor();
    assert.match(await page.getByRole('region', { name: 'Connect' }).textContent(), /Claude Code.*oriel hooks install/s);
    await settled(page);
    await fixture.browser.screenshot(page, `first-run-${name}`);
    assert.deepEqual(await seriousFindings(page), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  }
});

test('R_PAGE_2 a sample that cannot be started says why and can be tried again', async () => {
  const page = await fixture.open('#/');
  fixture.browser.expected = [/503/];
  fixture.rejection = { status: 503, matches: (target, method) => target === '/api/sessions' && method === 'POST' };
  await page.getByRole('button', { name: /^help/ }).click();
  await page.getByRole('alert').getByText('Not started: too many clients').waitFor();
  fixture.rejection = undefined;
  assert.ok(await page.getByRole('button', { name: /^help/ }).isEnabled());
});

test('R_PAGE_2 one click imports what was found', async () => {
  const page = await fixture.open('#/');
  await page.getByRole('button', { name: 'Import 2 sessions found here' }).click();
  await page.getByRole('status').getByText(/Done: 2 new sessions/).waitFor();
  await page.keyboard.press('o');
  await page.locator('.card', { hasText: 'question 1 of the past' }).waitFor();
  assert.equal(await page.locator('.first-run').count(), 0);
});
