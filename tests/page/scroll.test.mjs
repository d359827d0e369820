import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { pageFixture, settled } from './lib/fixture.mjs';
import { until } from '../support/until.mjs';

const fixture = pageFixture([], { pace: 0 });

// Opens a long session at its end.
async function openLong() {
  const id = await fixture.server.startSession('list');
  for (let i = 0; i < 40; ++i) {
    await fixture.server.sendMessage(id, i % 2 ? 'help' : 'search never');
    if (i % 10 === 9) await fixture.server.idle(id); // at most 16 messages may be queued
  }
  const page = await fixture.open(`#/sessions/${id}`);
  await page.locator('.conversation[data-complete]').waitFor();
  return { id, page };
}

const firstVisible = (page) => page.evaluate(() => {
  const frame = document.querySelector('.scroller').getBoundingClientRect();
  const row = [...document.querySelectorAll('.row')].find((found) => found.getBoundingClientRect().bottom > frame.top + 1);
  return { key: row.dataset.key, top: Math.round(row.getBoundingClientRect().top) };
});
const fromEnd = (page) => page.evaluate(() => {
  const frame = document.querySelector('.scroller');
  return frame.scrollHeight - frame.clientHeight - frame.scrollTop;
});

test('R_PAGE_2 the view follows the end until the user scrolls up, then stays and counts new items', async () => {
  const { id, page } = await openLong();
  await until(async () => (await fromEnd(page)) < 50, 'the end is visible');
  await fixture.server.sendMessage(id, 'count');
  await fixture.server.idle(id);
  await page.locator('.bubble', { hasText: /^count/ }).waitFor();
  await until(async () => (await fromEnd(page)) < 50, 'the view follows the end');

  await page.locator('.scroller').hover();
  await page.mouse.wheel(0, -2500);
  await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
  await settled(page); // the visible rows are measured
  const before = await firstVisible(page);
  await fixture.server.sendMessage(id, 'search never');
  await fixture.server.idle(id);
  await page.getByRole('button', { name: /\d+ new/ }).waitFor();
  const after = await firstVisible(page);
  assert.equal(after.key, before.key);
  assert.ok(Math.abs(after.top - before.top) <= 2, `it moved by ${after.top - before.top} px`);
  await page.getByRole('button', { name: /\d+ new/ }).click();
  await until(async () => (await fromEnd(page)) < 50, 'the end is visible again');
});

test('R_PAGE_2 scrolling from end to beginning shows every item of the conversation once and in order', async () => {
  const { page } = await openLong();
  const seen = await page.evaluate(async () => {
    const frame = document.querySelector('.scroller');
    const keys = new Map();
    for (let i = 0; i < 500; ++i) {
      for (const row of document.querySelectorAll('.row')) keys.set(Number(row.getAttribute('aria-posinset')), row.dataset.key);
      if (frame.scrollTop === 0) break;
      frame.scrollTop -= 300;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }
    return { keys: [...keys].sort((a, b) => a[0] - b[0]), total: Number(document.querySelector('.row').getAttribute('aria-setsize')) };
  });
  assert.equal(seen.keys.length, seen.total);
  assert.equal(new Set(seen.keys.map(([, key]) => key)).size, seen.total);
  assert.ok((await page.locator('*').count()) < 3000, 'only visible items are in the document');
});

test('R_AUTH_1 a browser without access is told how to log in; a login link works once, and files are downloaded', async () => {
  const id = await fixture.server.startSession('list');
  const admin = fixture.server.run('token', 'create', 'admin', '--scopes', 'read,answer,start,admin').trim();
  fixture.browser.expected = [/401/, /ERR_/];
  await fixture.server.stop();
  fixture.server.flags.push('--local-trust', 'none');
  await fixture.server.start();
  const page = await fixture.open('#/');
  await page.getByText('Login required', { exact: true }).waitFor();
  const made = await fetch(`${fixture.server.url}/api/login-links`, { method: 'POST', headers: { Authorization: `Bearer ${admin}`, 'Content-Type': 'application/json' }, body: '{}' });
  assert.equal(made.status, 201);
  const link = new URL((await made.json()).path, fixture.server.url).hash;
  assert.match(link, /^#login=[\w-]{43}$/);

  const other = await fixture.open(link);
  await other.locator('.connection[data-phase="live"]').waitFor();
  await other.locator('.card').first().waitFor();
  assert.doesNotMatch(other.url(), /login=/);
  assert.deepEqual(await other.evaluate(() => Object.entries(localStorage).filter(([, value]) => /oriel_/.test(value))), []);
  assert.doesNotMatch(await other.evaluate(() => document.cookie), /oriel_login/);
  const late = await fixture.open(link); // another browser
  await late.getByText('This login link has expired or was already used').waitFor();

  await other.goto(fixture.urlOf(`#/sessions/${id}`));
  await other.locator('input[type="file"]').setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('kept') });
  await other.getByRole('button', { name: 'Send' }).click();
  const file = other.locator('.bubble[data-turn-id]').getByRole('link', { name: 'note.txt' });
  const [download] = await Promise.all([other.waitForEvent('download'), file.click()]);
  assert.equal(download.suggestedFilename(), 'note.txt');
  assert.equal(fs.readFileSync(await download.path(), 'utf8'), 'kept');
});
