import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seriousFindings } from './lib/browser.mjs';
import { house } from './lib/house.mjs';

let done;

async function prepare({ server }) {
  done = await server.session('search never', { title: 'Where does it never sleep?' });
  await server.rested(done);
  await server.say(done, 'fail');
  await server.session('write NOTES.md: # Release 2.4\n\n- faster search', { title: 'Release notes for 2.4', project_id: 'docs' });
  await server.session('slow 600s list', { title: 'Why does the checkout test hang?' });
  await server.session('count', { title: 'Count all lines', project_id: 'docs' });
  await server.session('crash', { title: 'Nightly cleanup', project_id: 'infra' });
  await server.hook('watched', 'user-prompt-submit', { prompt: 'Review the change to the parser' });
  await server.hook('watched', 'pre-tool-use', { tool_name: 'Bash', tool_input: { command: 'ctest -j 8' }, tool_use_id: 'c1' });
}

const home = house([], { prepare });

const views = ['#/', '#/?by=board', '#/?by=project', '#/needs-you', '#/start', '#/events', '#/import', '#/system'];

for (const colorScheme of ['light', 'dark']) {
  test(`R_PAGE_2 axe has no serious finding on any view (${colorScheme})`, async () => {
    const page = await home.open('#/', { colorScheme });
    for (const hash of [...views, `#/sessions/${done}`]) {
      await page.goto(home.at(hash));
      await page.waitForTimeout(400);
      for (const head of await page.locator('.tool-head').all()) await head.click();
      assert.deepEqual(await seriousFindings(page), [], hash);
      await home.browser.shot(page, `${hash.replace(/[^\w=-]+/g, '') .replace(/sessions.*/, 'session') || 'overview'}-${colorScheme}`);
    }
  });
}

test('R_PAGE_2 on a phone everything is in reach and nothing sticks out', async () => {
  const page = await home.open('#/', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  for (const hash of [...views, `#/sessions/${done}`]) {
    await page.goto(home.at(hash));
    await page.waitForTimeout(300);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${hash} is ${wide} px too wide`);
    const main = await page.evaluate(() => { const box = document.querySelector('main'); return box.scrollWidth - box.clientWidth; });
    assert.ok(main <= 0, `${hash}: its content is ${main} px too wide`);
    await home.browser.shot(page, `phone-${hash.replace(/[^\w=-]+/g, '').replace(/sessions.*/, 'session') || 'overview'}`);
  }
  await page.getByRole('link', { name: 'Needs you' }).tap();
  await page.locator('.need').first().getByRole('button', { name: 'Reject' }).tap();
  await page.getByText('Nothing waits for you').waitFor();
});

test('R_PAGE_2 the keyboard alone reaches every view, filters, and opens a session', async () => {
  const page = await home.open('#/');
  for (const [key, heading] of [['n', 'Needs you'], ['s', 'Start an agent'], ['e', 'Events'], ['i', 'Import'], ['y', 'System'], ['o', 'Agents']]) {
    await page.keyboard.press(key);
    await page.locator('h1', { hasText: heading }).waitFor();
  }
  await page.keyboard.press('/');
  await page.keyboard.type('count all');
  await page.locator('.card').first().waitFor();
  assert.equal(await page.locator('.card').count(), 1);
  assert.match(page.url(), /text=count/);
  await page.locator('.card').focus();
  await page.keyboard.press('Enter');
  await page.locator('h1', { hasText: 'Count all lines' }).waitFor();
  await page.locator('.bubble').first().waitFor();
  await page.keyboard.press('c');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'composer');
  await page.keyboard.press('Tab');
  await page.goBack();
  await page.locator('h1', { hasText: 'Agents' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
});

test('R_HEALTH_1 the system view shows health, connections and live charts', async () => {
  const page = await home.open('#/system');
  await page.locator('.facts-big', { hasText: 'Watchers' }).waitFor();
  await page.locator('.spark-line').first().waitFor({ state: 'attached', timeout: 10_000 });
  assert.equal(await page.locator('.spark').count(), 6);
  await page.locator('tbody tr').first().waitFor();
});

test('R_PAGE_2 the page asks no other host, and its policy lets no foreign script run', async () => {
  const response = await fetch(home.at(''));
  const policy = response.headers.get('Content-Security-Policy');
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|\*|data:/);
  const page = await home.open('#/');
  home.browser.expected = [/Content Security Policy/];
  const ran = await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'globalThis.__ran = 1';
    document.body.append(script);
    return globalThis.__ran;
  });
  assert.equal(ran, undefined);
});
