import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { house } from './lib/house.mjs';
import { PROGRAM } from './lib/server.mjs';
import { until } from './lib/until.mjs';

const home = house([], { pace: 0 });

// A long session: its last piece is in sight.
async function openLong() {
  const id = await home.server.session('list');
  for (let i = 0; i < 40; ++i) {
    await home.server.say(id, i % 2 ? 'help' : 'search never');
    if (i % 10 === 9) await home.server.rested(id); // more than 16 may not wait
  }
  const page = await home.open(`#/sessions/${id}`);
  await page.locator('.talk[data-whole]').waitFor();
  return { id, page };
}

const firstInSight = (page) => page.evaluate(() => {
  const frame = document.querySelector('.scroller').getBoundingClientRect();
  const row = [...document.querySelectorAll('.row')].find((found) => found.getBoundingClientRect().bottom > frame.top + 1);
  return { key: row.dataset.key, top: Math.round(row.getBoundingClientRect().top) };
});
const fromEnd = (page) => page.evaluate(() => {
  const frame = document.querySelector('.scroller');
  return frame.scrollHeight - frame.clientHeight - frame.scrollTop;
});

test('R_PAGE_2 the end is followed, until a person reads elsewhere; then nothing moves, and what is new is counted', async () => {
  const { id, page } = await openLong();
  await until(async () => (await fromEnd(page)) < 50, 'the end is in sight');
  await home.server.say(id, 'count');
  await home.server.rested(id);
  await page.locator('.bubble', { hasText: /^count/ }).waitFor();
  await until(async () => (await fromEnd(page)) < 50, 'it has followed the end');

  await page.locator('.scroller').hover();
  await page.mouse.wheel(0, -2500);
  await page.getByRole('button', { name: 'To the end' }).waitFor();
  await page.waitForTimeout(300); // until all that came into sight is measured
  const before = await firstInSight(page);
  await home.server.say(id, 'search never');
  await home.server.rested(id);
  await page.getByRole('button', { name: /\d+ new below/ }).waitFor();
  const after = await firstInSight(page);
  assert.equal(after.key, before.key);
  assert.ok(Math.abs(after.top - before.top) <= 2, `it moved by ${after.top - before.top} px`);
  await page.getByRole('button', { name: /new below/ }).click();
  await until(async () => (await fromEnd(page)) < 50, 'the end is in sight again');
});

test('R_PAGE_2 scrolled from end to beginning, every piece of the conversation is met once and in order', async () => {
  const { page } = await openLong();
  const met = await page.evaluate(async () => {
    const frame = document.querySelector('.scroller');
    const places = new Map();
    for (let i = 0; i < 500; ++i) {
      for (const row of document.querySelectorAll('.row')) places.set(Number(row.getAttribute('aria-posinset')), row.dataset.key);
      if (frame.scrollTop === 0) break;
      frame.scrollTop -= 300;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }
    return { places: [...places].sort((a, b) => a[0] - b[0]), whole: Number(document.querySelector('.row').getAttribute('aria-setsize')) };
  });
  assert.equal(met.places.length, met.whole);
  assert.equal(new Set(met.places.map(([, key]) => key)).size, met.whole);
  assert.ok((await page.locator('*').count()) < 3000, 'only what is in sight is in the document');
});

test('R_PAGE_2 a server with tokens: the page asks for one, goes on with it, and gives files back', async () => {
  const id = await home.server.session('list');
  const made = execFileSync(PROGRAM, ['token', 'create', 'page', '--data-dir', path.join(home.server.dir, 'data')], { encoding: 'utf8', env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'ignore'] });
  const token = made.trim();
  await until(async () => (await fetch(`${home.server.url}/api/sessions`)).status === 401, 'the server knows its token');
  home.browser.expected = [/401/];
  const page = await home.open('#/');
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.locator('.light[data-phase="live"]').waitFor();
  await page.locator('.card').first().waitFor();
  const other = await home.open(`#access_token=${token}`);
  await other.locator('.card').first().waitFor();
  assert.doesNotMatch(other.url(), /oriel_/);

  await other.goto(home.at(`#/sessions/${id}`));
  await other.locator('input[type="file"]').setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('kept') });
  await other.getByRole('button', { name: 'Send' }).click();
  const link = other.locator('.bubble[data-turn-id]').getByRole('link', { name: 'note.txt' });
  const [download] = await Promise.all([other.waitForEvent('download'), link.click()]);
  assert.equal(download.suggestedFilename(), 'note.txt');
  assert.equal(fs.readFileSync(await download.path(), 'utf8'), 'kept');
});
