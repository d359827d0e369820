import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { pageFixture } from './lib/fixture.mjs';
import { until } from '../support/until.mjs';

const agent = path.join(import.meta.dirname, 'lib/writing_agent.mjs');
const fixture = pageFixture(['--agent', `writing=${process.execPath} ${agent}`]);
const LINES = 4000; // above 100 000 characters
const SOON = 120_000; // ms; the machine may be busy

// The number of the last line that is visible.
const lastVisible = (page) => page.evaluate(() => {
  const { bottom } = document.querySelector('.scroller').getBoundingClientRect();
  const lines = [...document.querySelectorAll('.bubble li')].filter((line) => line.getBoundingClientRect().top < bottom);
  return Number(/\d+/.exec(lines.at(-1)?.textContent ?? '')?.[0] ?? -1);
});

test('R_PAGE_2 a growing message is followed to its end however long it is, and every line of it can be read', async () => {
  const page = await fixture.open('#/');
  const id = await fixture.server.startSession(String(LINES), { agent: 'writing', title: 'writes' });
  await page.goto(fixture.urlOf(`#/sessions/${id}`));
  await page.evaluate(() => setInterval(() => document.querySelector('.scroller').dispatchEvent(new Event('scroll')), 5)); // renders the list at any moment
  let seen = -1;
  await until(async () => {
    const last = await lastVisible(page);
    assert.ok(last >= seen, `line ${last} after line ${seen}`);
    seen = last;
    return last === LINES - 1;
  }, () => `the last line is visible, not ${seen}`, SOON);
  assert.equal(await page.locator('.bubble[data-streaming]').count(), 1);
  assert.ok((await page.locator('*').count()) < 3000, 'only what is visible is in the document');
  await page.getByRole('button', { name: 'Interrupt' }).click();
  await page.locator('.completion[data-status="cancelled"]').waitFor();
  const read = await page.evaluate(async () => {
    const frame = document.querySelector('.scroller');
    const lines = new Set();
    for (let i = 0; i < 2000; ++i) {
      for (const line of document.querySelectorAll('.bubble li')) lines.add(Number(/\d+/.exec(line.textContent)[0]));
      if (frame.scrollTop === 0) break;
      frame.scrollTop -= 500;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }
    return [...lines].sort((a, b) => a - b);
  });
  assert.deepEqual(read, Array.from({ length: LINES }, (_, i) => i));
});
