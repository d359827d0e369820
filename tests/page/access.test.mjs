import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seriousFindings } from './lib/browser.mjs';
import { pageFixture, settled } from './lib/fixture.mjs';

let idle; // a session with a failed task

async function prepare({ server }) {
  idle = await server.startSession('search never', { title: 'Where does it never sleep?' });
  await server.idle(idle);
  await server.sendMessage(idle, 'fail');
  await server.startSession('write NOTES.md: # Release 2.4\n\n- faster search', { title: 'Release notes for 2.4', project_id: 'docs' });
  await server.startSession('slow 600s list', { title: 'Why does the checkout test hang?' });
  await server.startSession('count', { title: 'Count all lines', project_id: 'docs' });
  await server.startSession('crash', { title: 'Nightly cleanup', project_id: 'infra' });
  await server.hook('watched', 'user-prompt-submit', { prompt: 'Review the change to the parser' });
  await server.hook('watched', 'pre-tool-use', { tool_name: 'Bash', tool_input: { command: 'ctest -j 8' }, tool_use_id: 'c1' });
}

const fixture = pageFixture([], { prepare });

const views = ['#/', '#/?view=board', '#/?by=project', '#/needs-you', '#/start', '#/events', '#/import', '#/system'];
const fileName = (hash) => hash.replace(/[^\w=-]+/g, '').replace(/sessions.*/, 'session') || 'overview';

for (const colorScheme of ['light', 'dark']) {
  test(`R_PAGE_2 axe has no serious finding on any view (${colorScheme})`, async () => {
    const page = await fixture.open('#/', { colorScheme });
    for (const hash of [...views, `#/sessions/${idle}`]) {
      await page.goto(fixture.urlOf(hash));
      await settled(page);
      for (const head of await page.locator('.tool-head').all()) await head.click();
      assert.deepEqual(await seriousFindings(page), [], hash);
      await fixture.browser.screenshot(page, `${fileName(hash)}-${colorScheme}`);
    }
  });
}

test('R_PAGE_2 every view fits a phone, and a permission is answered there', async () => {
  const page = await fixture.open('#/', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  for (const hash of [...views, `#/sessions/${idle}`]) {
    await page.goto(fixture.urlOf(hash));
    await settled(page);
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(excess <= 0, `${hash} is ${excess} px too wide`);
    const excessOfMain = await page.evaluate(() => { const box = document.querySelector('main'); return box.scrollWidth - box.clientWidth; });
    assert.ok(excessOfMain <= 0, `the content of ${hash} is ${excessOfMain} px too wide`);
    await fixture.browser.screenshot(page, `phone-${fileName(hash)}`);
  }
  for (const view of ['Agents', 'Start', 'Events', 'Import', 'System', 'Needs you']) {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).tap();
    await page.locator('h1', { hasText: view }).waitFor();
  }
  await page.locator('.need').first().getByRole('button', { name: 'Reject' }).tap();
  await page.getByText('Nothing needs you').waitFor();
});

test('R_PAGE_2 the keyboard alone reaches every view, filters and opens a session', async () => {
  const page = await fixture.open('#/');
  for (const [key, heading] of [['n', 'Needs you'], ['s', 'Start an agent'], ['e', 'Events'], ['i', 'Import'], ['y', 'System'], ['o', 'Agents']]) {
    await page.keyboard.press(key);
    await page.locator('h1', { hasText: heading }).waitFor();
  }
  await page.keyboard.press('/');
  await page.locator('input:focus').waitFor(); // nobody types faster than the page shows the filter
  await page.keyboard.type('count all');
  await page.locator('.card').first().waitFor();
  assert.equal(await page.locator('.card').count(), 1);
  assert.match(page.url(), /text=count/);
  await page.locator('.card-link').focus();
  await page.keyboard.press('Enter');
  await page.locator('h1', { hasText: 'Count all lines' }).waitFor();
  await page.locator('.bubble').first().waitFor();
  await page.keyboard.press('c');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'composer');
  await page.keyboard.press('Tab');
  await page.goBack();
  await page.locator('h1', { hasText: 'Agents' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
});

test('R_HEALTH_1 the system view shows health, connections and live charts', async () => {
  const page = await fixture.open('#/system');
  await page.locator('.facts-big', { hasText: 'Watchers' }).waitFor();
  await page.locator('.spark-line').first().waitFor({ state: 'attached', timeout: 10_000 });
  assert.equal(await page.locator('.spark').count(), 6);
  await page.locator('tbody tr').first().waitFor();
});

test('R_PAGE_2 the page contacts no other host, and its policy blocks injected scripts', async () => {
  const response = await fetch(fixture.urlOf(''));
  const policy = response.headers.get('Content-Security-Policy');
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|\*|data:/);
  const page = await fixture.open('#/');
  fixture.browser.expected = [/Content Security Policy/];
  const ran = await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'globalThis.__ran = 1';
    document.body.append(script);
    return globalThis.__ran;
  });
  assert.equal(ran, undefined);
});

test('R_PAGE_2 the first visit loads at most 250 KB', async () => {
  const names = ['', 'app.js', 'oriel.js', 'app.css', 'favicon.svg'];
  const sizes = await Promise.all(names.map(async (name) => (await (await fetch(fixture.urlOf('') + name)).arrayBuffer()).byteLength));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(total <= 250_000, `${names.map((name, i) => `${name || 'index.html'} ${sizes[i]}`).join(', ')}`);
  assert.ok(sizes.every((size) => size > 100), String(sizes));
});
