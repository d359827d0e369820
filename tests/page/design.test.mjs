import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seriousFindings } from './lib/browser.mjs';
import { pageFixture, settled } from './lib/fixture.mjs';
import { sampleSessions } from './lib/sample_sessions.mjs';

let ids;
const fixture = pageFixture(['--max-sessions-per-project', '100', '--max-sessions', '100'], { prepare: async ({ server }) => { ids = await sampleSessions(server); } });
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const views = () => ({
  cards: '#/?view=cards', list: '#/?view=list', board: '#/?view=board', projects: '#/?view=list&by=project', needs: '#/needs-you', start: '#/start',
  events: '#/events', import: '#/import', system: '#/system', session: `#/sessions/${ids.watched}`, asks: `#/sessions/${ids.asking}`,
});

const openTools = (page) => page.locator('.tool-head[aria-expanded="false"]').evaluateAll((heads) => heads.forEach((head) => head.click()));

for (const colorScheme of ['light', 'dark']) {
  test(`R_PAGE_2 axe has no serious finding in any layout (${colorScheme})`, async () => {
    const page = await fixture.open('#/', { colorScheme });
    for (const [name, hash] of Object.entries(views())) {
      await page.goto(fixture.urlOf(hash));
      await settled(page);
      await fixture.browser.screenshot(page, `design-${name}-${colorScheme}`);
      if (name === 'session') {
        await openTools(page);
        await settled(page);
        await fixture.browser.screenshot(page, `design-tools-${colorScheme}`);
      }
      assert.deepEqual(await seriousFindings(page), [], hash);
    }
  });
}

test('R_PAGE_2 the first card begins in the upper quarter of a phone, and nothing is too wide', async () => {
  const page = await fixture.open('#/', PHONE);
  for (const [name, hash] of Object.entries(views())) {
    await page.goto(fixture.urlOf(hash));
    await settled(page);
    await fixture.browser.screenshot(page, `design-phone-${name}`);
    const excess = await page.evaluate(() => Math.max(document.documentElement.scrollWidth - innerWidth, document.querySelector('main').scrollWidth - innerWidth));
    assert.ok(excess <= 0, `${hash} is ${excess} px too wide`);
    if (!hash.startsWith('#/?')) continue;
    const top = await page.locator('.card-place').first().evaluate((card) => card.getBoundingClientRect().top);
    assert.ok(top < 200, `the first card of ${hash} begins at ${top}`);
  }
});

test('R_PAGE_2 what is pressed on a phone has at least 44 px for a finger', async () => {
  const page = await fixture.open('#/', PHONE);
  for (const hash of Object.values(views())) {
    await page.goto(fixture.urlOf(hash));
    await settled(page);
    const small = await page.evaluate(() => [...document.querySelectorAll('button, nav a, .session-tabs a, select, input, textarea, summary, .line, .brand a')]
      .map((element) => ({ element, box: (element.closest('label') ?? element).getBoundingClientRect() }))
      .filter(({ element, box }) => box.width > 1 && box.height > 1 && element.checkVisibility() && element.type !== 'range' && !element.closest('.sr-only'))
      .filter(({ box }) => box.height < 43.5 || box.width < 43.5)
      .map(({ element, box }) => `${element.className || element.tagName} ${element.getAttribute('aria-label') ?? element.textContent.slice(0, 20)}: ${Math.round(box.width)} x ${Math.round(box.height)}`));
    assert.deepEqual([...new Set(small)], [], hash);
  }
});

test('R_PAGE_2 a table scrolls on a phone, and charts have axes with units', async () => {
  const page = await fixture.open(`#/sessions/${ids.watched}`, PHONE);
  const frame = page.locator('.markdown .table-frame');
  await frame.waitFor();
  const { client, scroll } = await frame.evaluate((element) => ({ client: element.clientWidth, scroll: element.scrollWidth }));
  assert.ok(scroll > client, `${scroll} in ${client}`);
  await page.goto(fixture.urlOf('#/system'));
  await page.locator('.spark').nth(5).waitFor();
  const axes = await page.locator('.spark-axis').allTextContents();
  for (const axis of axes) assert.match(axis, /0/);
  assert.match(axes[0], /\/s/);
  assert.match(axes[2], /ms/);
  assert.match(await page.locator('.spark-times').first().textContent(), / agonow$/);
});

test('R_PAGE_2 a tool is shown with its command or change in one line, and its raw arguments on request', async () => {
  const page = await fixture.open(`#/sessions/${ids.watched}`);
  const tool = (kind) => page.locator(`.tool[data-kind="${kind}"]`);
  await tool('shell').locator('.tool-summary', { hasText: /^\$ npm test/ }).waitFor();
  assert.equal(await tool('edit').locator('.tool-change').textContent(), '+2 \u22121');
  assert.match(await tool('read').locator('.tool-summary').textContent(), /src\/parser\.ts$/);
  await tool('shell').locator('.tool-head').click();
  assert.match(await tool('shell').locator('.command').textContent(), /^\$ npm test -- --reporter=spec$/);
  assert.doesNotMatch(await tool('shell').locator('.tool-body').textContent(), /[{}]/);
  await tool('shell').getByRole('button', { name: 'Raw' }).click();
  assert.match(await tool('shell').locator('.tool-body').textContent(), /"description": "Run the tests"/);
});

test('R_PAGE_2 the output of a tool has the colours of its terminal', async () => {
  const page = await fixture.open(`#/sessions/${ids.watched}`);
  await page.locator('.tool[data-kind="shell"] .tool-head').click();
  const output = page.locator('.tool[data-kind="shell"] .code').last();
  assert.equal(await output.locator('.ansi-green').textContent(), 'PASS');
  assert.equal(await output.locator('.ansi-red').textContent(), 'FAIL');
  assert.equal(await output.locator('.ansi-bold').textContent(), '== unit tests');
  assert.doesNotMatch(await output.textContent(), /[\u001b\u241b]|\[\d*m/);
});
