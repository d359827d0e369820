import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { seriousFindings } from './lib/browser.mjs';
import { pageFixture } from './lib/fixture.mjs';
import { until } from '../support/until.mjs';

let id;
const fixture = pageFixture([], {
  prepare: async ({ server }) => {
    for (const file of ['src/store.ts', 'src/restore.ts', 'docs/store.md', 'my notes.txt', '.git/config', 'bad\u202ename.txt']) {
      fs.mkdirSync(path.dirname(path.join(server.workspace, file)), { recursive: true });
      fs.writeFileSync(path.join(server.workspace, file), 'x\n');
    }
    fs.symlinkSync('/etc', path.join(server.workspace, 'etc'));
    id = await server.startSession('list');
    await server.idle(id);
  },
});
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const open = async (options) => {
  const page = await fixture.open(`#/sessions/${id}`, options);
  await page.locator('.conversation[data-complete]').waitFor();
  return { page, box: page.getByLabel('Message to the agent') };
};
const options = (page) => page.locator('.mentions [role="option"]');
const said = async () => (await fixture.server.events(id)).filter((event) => event.type === 'message' && event.role === 'user').map((event) => event.text);

// A picture of 2 x 2 px.
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==';

// Pastes or drops files as a browser does.
const give = (page, selector, type, files) => page.locator(selector).evaluate((element, [kind, list]) => {
  const data = new DataTransfer();
  for (const { name, mime, base64 } of list) data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name, { type: mime }));
  const event = kind === 'paste' ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }) : new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
  return element.dispatchEvent(event); // false: the browser does nothing of its own
}, [type, files]);

for (const [where, device] of [['a wide screen', {}], ['a phone', PHONE]]) {
  test(`R_PAGE_2 @ completes files of the workspace, and names nothing outside (${where})`, async () => {
    const { page, box } = await open(device);
    await box.pressSequentially('compare @store');
    await until(async () => (await options(page).count()) === 3, 'three fit');
    assert.deepEqual(await options(page).allTextContents(), ['docs/store.md', 'src/store.ts', 'src/restore.ts']);
    assert.deepEqual(await seriousFindings(page), []);
    await fixture.browser.screenshot(page, `mention-${where.replace(/\W/g, '-')}`);
    await box.press('ArrowDown');
    await box.press('Enter');
    assert.equal(await box.inputValue(), 'compare @src/store.ts ');
    await box.pressSequentially('with @src/');
    await options(page).first().waitFor();
    await box.press('Escape');
    assert.equal(await options(page).count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'composer'); // only the list is closed
    await box.fill('');
    await box.pressSequentially('@my');
    await options(page).first().waitFor();
    await options(page).first().dispatchEvent('pointerdown');
    assert.equal(await box.inputValue(), '@"my notes.txt" ');
    await box.fill('');
    await box.pressSequentially('@');
    await options(page).first().waitFor();
    const all = await options(page).allTextContents();
    assert.ok(!all.some((name) => name.startsWith('etc') || name.includes('.git')), `${all}`);
    assert.ok(all.includes('bad\u27e8U+202E\u27e9name.txt'), `${all}`);
    await box.fill('');
  });
}

test('R_PAGE_2 the arrow keys bring back earlier messages into an empty box, and leave a draft alone', async () => {
  const { page, box } = await open();
  for (const text of ['count', 'help']) {
    await box.fill(text);
    await box.press('Enter');
    await until(async () => (await said()).includes(text), `${text} is sent`);
  }
  await fixture.server.idle(id);
  await page.locator('.bubble[data-role="user"][data-turn-id]', { hasText: 'help' }).waitFor();
  const walk = async (key) => { await box.press(key); return box.inputValue(); };
  assert.deepEqual([await walk('ArrowUp'), await walk('ArrowUp'), await walk('ArrowUp'), await walk('ArrowUp')], ['help', 'count', 'list', 'list']);
  assert.deepEqual([await walk('ArrowDown'), await walk('ArrowDown'), await walk('ArrowDown')], ['count', 'help', '']);
  await box.fill('a draft');
  assert.equal(await walk('ArrowUp'), 'a draft');
  await box.fill('');
  const other = await fixture.server.startSession('read README.md');
  await page.goto(fixture.urlOf(`#/sessions/${other}`));
  await page.locator('.bubble', { hasText: 'read README.md' }).waitFor();
  assert.deepEqual([await walk('ArrowUp'), await walk('ArrowUp')], ['read README.md', 'help']); // what was sent from this browser
});

test('R_PAGE_2 a pasted image and dropped files are shown, removed and sent', async () => {
  const { page, box } = await open();
  await box.focus();
  const image = { name: 'image.png', mime: 'image/png', base64: PNG };
  assert.equal(await give(page, '#composer', 'paste', [image]), false);
  await page.locator('.composer .files li', { hasText: 'image.png' }).locator('canvas').waitFor();
  assert.equal(await give(page, '.conversation', 'dragover', [image]), false);
  await page.locator('main[data-drop]').waitFor();
  const script = { name: 'evil.svg', mime: 'image/svg+xml', base64: btoa('<svg xmlns="http://www.w3.org/2000/svg" onload="globalThis.__ran=1"><script>globalThis.__ran=1</script></svg>') };
  const notes = { name: 'notes.txt', mime: 'text/plain', base64: btoa('dropped notes\n') };
  assert.equal(await give(page, '.conversation', 'drop', [script, notes]), false);
  assert.equal(await page.locator('main[data-drop]').count(), 0);
  assert.equal(await page.locator('.composer .files li').count(), 3);
  await page.getByRole('button', { name: 'Remove evil.svg' }).click();
  await fixture.browser.screenshot(page, 'pasted');
  await box.fill('what do you see?');
  await box.press('Enter');
  await page.locator('.bubble[data-role="user"][data-turn-id]').getByRole('link', { name: 'image.png' }).first().waitFor();
  await until(() => page.locator('.bubble img').evaluate((image) => image.complete && image.naturalWidth === 2), 'the picture is shown');
  await fixture.server.idle(id);
  const { turns } = await fixture.server.get(`/api/sessions/${id}/turns`);
  assert.deepEqual(turns.flatMap((turn) => turn.files.map(({ name, type }) => `${name} ${type}`)), ['image.png image/png', 'notes.txt text/plain']);
  assert.equal(await page.evaluate(() => globalThis.__ran), undefined);
});

test('R_PAGE_2 pasted text stays text', async () => {
  const { page, box } = await open();
  await box.focus();
  await page.evaluate(() => document.execCommand('insertText', false, 'pasted text'));
  assert.equal(await box.inputValue(), 'pasted text');
});

test('R_PAGE_2 a login that may not write to agents sees no files of their workspaces', async () => {
  const read = fixture.server.run('token', 'create', 'reader', '--scopes', 'read').split('\n')[0];
  const get = (target) => fetch(fixture.server.url + target, { headers: { Authorization: `Bearer ${read}` } });
  await until(async () => (await get('/api/me')).ok, 'the server knows the token');
  assert.equal((await get(`/api/sessions/${id}`)).status, 200);
  assert.equal((await get(`/api/sessions/${id}/paths`)).status, 403);
});

test('R_PAGE_2 the directory of a new agent is completed, from the home directory too', async () => {
  const page = await fixture.open('#/start');
  const field = page.getByLabel('Directory');
  const offered = () => page.locator('#directories option').evaluateAll((found) => found.map((option) => option.value));
  await field.fill(`${fixture.server.workspace}/s`);
  await until(async () => (await offered()).includes(`${fixture.server.workspace}/src/`), 'its directories are offered');
  await field.fill('~/sh'); // the home of the server is its directory
  await until(async () => (await field.inputValue()) === `${fixture.server.dir}/sh`, 'the tilde is replaced');
  await until(async () => (await offered()).includes(`${fixture.server.workspace}/`), 'the workspace is offered');
  await field.fill('');
});
