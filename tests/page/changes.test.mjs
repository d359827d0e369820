import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, test } from 'node:test';
import { seriousFindings } from './lib/browser.mjs';
import { corpus } from './lib/corpus.mjs';
import { pageFixture } from './lib/fixture.mjs';
import { until } from '../support/until.mjs';

const fixture = pageFixture();
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let id;
beforeEach(async () => {
  const folder = fs.mkdtempSync(path.join(fixture.server.dir, 'work-'));
  fs.writeFileSync(path.join(folder, 'kept.ts'), Array.from({ length: 60 }, (_, i) => `const n${i} = ${i};\n`).join(''));
  id = await fixture.server.startSession('list', { title: 'changes files', workspace: folder });
  await fixture.server.idle(id);
  fixture.folder = folder;
});

const write = (name, text) => {
  const file = path.join(fixture.folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
};
const edit = () => write('kept.ts', fs.readFileSync(path.join(fixture.folder, 'kept.ts'), 'utf8').replace('const n5 = 5;', 'const five = 5; // "better"'));
const open = (options) => fixture.open(`#/sessions/${id}?view=changes`, options);
const row = (page, text) => page.locator('.patch-row', { hasText: text });

test('R_CHANGES_1 the files and a diff are shown in one column and in two, and the address names the file', async () => {
  edit();
  write('src/deep/new.txt', 'hello\n');
  const page = await fixture.open(`#/sessions/${id}`);
  await page.getByRole('link', { name: 'Changes', exact: true }).click();
  await page.locator('.changes-sum', { hasText: '2 files changed' }).waitFor();
  await row(page, 'const five').locator('.patch-added').waitFor();
  await row(page, 'const n5 = 5;').locator('.patch-removed').waitFor();
  assert.equal(await row(page, 'const five').locator('.patch-number').nth(1).textContent(), '6');
  await page.getByRole('button', { name: 'Split' }).click();
  await row(page, 'const five').locator('.patch-removed', { hasText: 'const n5 = 5;' }).waitFor();
  await page.reload();
  await row(page, 'const five').locator('.patch-removed').waitFor();
  await page.getByRole('button', { name: 'Unified' }).click();
  await page.locator('.changed-file[data-path="kept.ts"]').focus();
  await page.keyboard.press('ArrowDown');
  await row(page, 'hello').waitFor();
  assert.match(page.url(), /file=src%2Fdeep%2Fnew\.txt/);
  await fixture.browser.screenshot(page, 'changes');
  assert.deepEqual(await seriousFindings(page), []);
});

test('R_CHANGES_1 the list follows what the agent does, and a session without changes says so', async () => {
  const page = await open();
  await page.locator('.empty', { hasText: 'No changes' }).waitFor();
  edit();
  await fixture.server.sendMessage(id, 'list');
  await page.locator('.changed-file[data-path="kept.ts"]').waitFor();
});

test('R_CHANGES_1 comments on lines go to the agent as one message, by keyboard alone', async () => {
  edit();
  const page = await open();
  await row(page, 'const five').waitFor();
  await page.locator('.patch-lines').focus();
  await page.keyboard.press('End');
  for (let i = 0; i < 3; ++i) await page.keyboard.press('ArrowUp');
  await page.locator('.patch-row[data-current]', { hasText: 'const five' }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Why five?');
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Keep this.');
  await page.getByRole('button', { name: 'Add comment' }).click();
  await page.getByRole('button', { name: 'Send 2 comments' }).click();
  const message = await until(async () => (await fixture.server.events(id)).find((event) => event.type === 'message' && event.text.includes('Why five?')), 'it has arrived');
  assert.equal(message.text, 'Review of your changes: 2 comments.\n\nkept.ts:6\n> +const five = 5; // "better"\nWhy five?\n\nkept.ts, removed line 6\n> -const n5 = 5;\nKeep this.');
  await page.locator('.bubble', { hasText: 'Why five?' }).waitFor();
});

test('R_CHANGES_1 the patch and the commands can be copied', async () => {
  edit();
  const context = await fixture.browser.context();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await open({ context });
  await page.getByRole('button', { name: 'Copy patch' }).click();
  await page.locator('.changes-actions', { hasText: 'Copied' }).waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^diff --git a\/kept\.ts[^]*\n\+const five/);
});

test('R_CHANGES_1 a diff of 15 000 lines is shown in a bounded document, and to its end', async () => {
  write('big.txt', Array.from({ length: 15_000 }, (_, i) => `line ${i}\n`).join(''));
  const page = await open();
  await row(page, 'line 3').first().waitFor();
  await page.locator('.patch-lines').focus();
  await page.keyboard.press('End');
  await row(page, 'line 14999').waitFor();
  assert.ok((await page.locator('*').count()) < 2500);
});

test('R_TRUTH_1 hostile names and lines are text, and nothing in them is invisible', async () => {
  const hostile = await corpus();
  write('<img src=x onerror=alert(1)>\u202e', hostile.map(({ text }) => `${text.replaceAll('\n', ' ').replaceAll('\0', '')}\n`).join(''));
  const page = await open();
  await page.locator('.patch-row').nth(3).waitFor();
  assert.equal(await page.locator('.changes img, .changes script, .changes a').count(), 0);
  const shown = await page.locator('.changes').textContent();
  assert.ok(!/[\u202a-\u202e\u2066-\u2069\u200b\u0007\u001b]/u.test(shown));
  assert.ok(shown.includes('\u27e8U+202E\u27e9'));
});

test('R_PAGE_2 changes on a phone fit its width', async () => {
  edit();
  write('src/a-file-with-a-long-name-that-does-not-fit-anywhere-on-a-phone.txt', `${'long '.repeat(200)}\n`);
  const context = await fixture.browser.context(PHONE);
  const page = await open({ context });
  await row(page, 'const five').waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await row(page, 'const five').tap();
  const comment = page.getByRole('button', { name: 'Comment on line 6' });
  assert.ok((await comment.boundingBox()).height >= 44);
  await comment.tap();
  await page.locator('.comment-form textarea').fill('On the phone');
  await page.getByRole('button', { name: 'Add comment' }).tap();
  await page.getByRole('button', { name: 'Send 1 comment' }).waitFor();
  await fixture.browser.screenshot(page, 'changes-phone');
  assert.deepEqual(await seriousFindings(page), []);
});
