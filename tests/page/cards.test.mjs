import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pageFixture, settled } from './lib/fixture.mjs';
import { until } from '../support/until.mjs';

const agent = path.join(import.meta.dirname, 'lib/asking_agent.mjs');
const fixture = pageFixture(['--agent', `asking=${process.execPath} ${agent}`, '--max-sessions-per-project', '100', '--max-sessions', '100']);
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

// A card, once it takes clicks: not in the moment after it has moved.
const cardOf = (page, id) => page.locator(`.card-place:not([data-new]) > .card[data-session-id="${id}"]`);
const asks = (id) => until(async () => (await fixture.server.get(`/api/sessions/${id}`)).permissions.length > 0, `${id} asks`);
const answerOf = async (id) => (await fixture.server.events(id)).find((event) => event.type === 'permission' && event.status !== 'pending')?.data.option_id;

for (const [where, options] of [['a wide screen', {}], ['a phone', PHONE]]) {
  test(`R_PAGE_2 a question is read and answered on its card (${where})`, async () => {
    const name = `card-${where.replace(/\W/g, '-')}.txt`;
    const id = await fixture.server.startSession(`write ${name}: hello from the card`, { agent: 'demo' });
    await asks(id);
    const page = await fixture.open('#/', options);
    const card = cardOf(page, id);
    await card.locator('.ask-title', { hasText: `Write ${name}` }).waitFor();
    await card.locator('.ask-row', { hasText: 'hello from the card' }).waitFor();
    await settled(page);
    await fixture.browser.screenshot(page, `answer-on-card-${where.replace(/\W/g, '-')}`);
    const { place, inner } = await card.evaluate((element) => ({ place: element.getBoundingClientRect().bottom, inner: element.querySelector('.ask-options').getBoundingClientRect().bottom }));
    assert.ok(inner <= place, 'the buttons are inside the card');
    await card.getByRole('button', { name: 'Allow' }).click();
    await fixture.server.idle(id);
    assert.match(page.url(), /#\/$/); // the session was not opened
    assert.equal(fs.readFileSync(path.join(fixture.server.workspace, name), 'utf8').trim(), 'hello from the card');
    await cardOf(page, id).locator('.pill', { hasText: 'idle' }).waitFor();
    assert.equal(await card.locator('.ask').count(), 0);
  });
}

test('R_TRUTH_1 a long request on a card is opened before it can be allowed', async () => {
  const content = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('');
  const options = [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }, { optionId: 'always', name: 'Always', kind: 'allow_always' }, { optionId: 'no', name: 'Reject', kind: 'reject_once' }];
  const message = JSON.stringify({ toolCall: { toolCallId: 't', title: 'Write much', rawInput: { content } }, options });
  const id = await fixture.server.startSession(message, { title: 'asks for much', agent: 'asking' });
  await asks(id);
  const page = await fixture.open('#/');
  const card = cardOf(page, id);
  await card.locator('.ask-row').first().waitFor();
  assert.equal(await card.locator('.ask-row').count(), 8);
  for (const kind of ['allow_once', 'allow_always']) assert.ok(await card.locator(`[data-option-kind="${kind}"]`).isDisabled(), kind);
  assert.ok(await card.locator('[data-option-kind="reject_once"]').isEnabled());
  await page.keyboard.press('1'); // no key answers here
  await card.getByRole('button', { name: '23 more lines to allow' }).click();
  assert.equal(await card.locator('.ask-row').last().textContent(), '\u2502line 29');
  assert.ok(await card.evaluate((element) => [...element.querySelectorAll('.ask-rows, .ask-rows *')].every((inner) => inner.scrollHeight <= inner.clientHeight + 1 || inner.clientHeight === 0)), 'nothing scrolls inside');
  assert.equal(await answerOf(id), undefined);
  await card.getByRole('button', { name: 'Allow', exact: true }).click();
  await fixture.server.idle(id);
  assert.equal(await answerOf(id), 'yes');
});

test('R_PAGE_2 cards below a question move when it is opened, and none covers another', async () => {
  const content = Array.from({ length: 60 }, (_, i) => `line ${i}\n`).join('');
  const message = JSON.stringify({ toolCall: { toolCallId: 't', title: 'Write much', rawInput: { content } }, options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }] });
  const id = await fixture.server.startSession(message, { title: 'asks for much', agent: 'asking' });
  await asks(id);
  const page = await fixture.open('#/');
  await cardOf(page, id).getByRole('button', { name: /more lines/ }).click();
  const overlaps = () => page.locator('.card-place').evaluateAll((places) => {
    const boxes = places.map((place) => place.getBoundingClientRect());
    return boxes.filter((a, i) => boxes.some((b, j) => j > i && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)).length;
  });
  await until(async () => (await overlaps()) === 0, 'no card covers another');
  await fixture.server.post(`/api/sessions/${id}/end`);
});

test('R_PAGE_2 a click on a question that has just come below the pointer answers nothing', async () => {
  const ids = [];
  for (const title of ['first', 'second']) {
    ids.push(await fixture.server.startSession('ask', { title, agent: 'demo' }));
    await asks(ids.at(-1));
  }
  const page = await fixture.open('#/?view=cards');
  const answers = [];
  page.on('request', (request) => request.url().includes('/permissions/') && answers.push(request.url()));
  await cardOf(page, ids[1]).getByRole('button', { name: 'Tea' }).waitFor();
  await settled(page);
  await page.evaluate((id) => {
    // Clicks as soon as the card has moved.
    const place = document.querySelector(`.card[data-session-id="${id}"]`).parentElement;
    const before = place.style.transform;
    new MutationObserver((_, observer) => {
      if (place.style.transform === before) return;
      observer.disconnect();
      place.querySelector('.ask-options button').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }));
      globalThis.__clicked = true;
    }).observe(place, { attributes: true });
  }, ids[1]);
  const { permissions: [asked] } = await fixture.server.get(`/api/sessions/${ids[0]}`);
  await fixture.server.post(`/api/sessions/${ids[0]}/permissions/${asked.permission_id}`, { option_id: 'neither' });
  await page.waitForFunction(() => globalThis.__clicked);
  await new Promise((resolve) => setTimeout(resolve, 500)); // nothing is sent
  assert.equal(answers.length, 0);
  await cardOf(page, ids[1]).getByRole('button', { name: 'Tea' }).click();
  await fixture.server.idle(ids[1]);
  assert.equal(await answerOf(ids[1]), 'tea');
});

test('R_PAGE_2 a question in words is answered on its card', async () => {
  const id = await fixture.server.startSession('ask', { title: 'Drinks', agent: 'demo' });
  await asks(id);
  const page = await fixture.open('#/?view=board');
  await cardOf(page, id).getByRole('button', { name: 'Tea' }).click();
  await fixture.server.idle(id);
  assert.equal(await answerOf(id), 'tea');
});

test('R_PAGE_2 the demo agent\'s question, once answered, shows no failure', async () => {
  const id = await fixture.server.startSession('ask', { title: 'First tour', agent: 'demo' });
  await asks(id);
  const page = await fixture.open(`#/sessions/${id}`);
  await page.locator('.dock .ask').getByRole('button', { name: 'Coffee' }).click();
  await page.locator('.completion[data-status="completed"]').waitFor();
  assert.deepEqual(await page.locator('.tool').evaluateAll((tools) => tools.map((tool) => tool.dataset.status)), ['ok']);
  assert.equal(await page.getByText('no result').count(), 0);
});

test('R_PAGE_2 beyond fifteen sessions they are rows, the questions stay cards, and the chosen layout stays', async () => {
  const known = (await fixture.server.get('/api/sessions')).count;
  const page = await fixture.open('#/');
  await until(async () => (await page.locator('.card-place').count()) === known, 'all are shown');
  assert.equal(await page.locator('.line').count(), 0);
  assert.ok(known < 15, `${known} sessions`);
  for (let i = known; i < 16; ++i) await fixture.server.idle(await fixture.server.startSession('list', { title: `Row ${i}`, agent: 'demo' }));
  const id = await fixture.server.startSession('ask', { title: 'Asks in a list', agent: 'demo' });
  await asks(id);
  await until(async () => (await page.locator('.card').count()) === 17, 'an open view keeps its layout');
  await page.reload();
  await until(async () => (await page.locator('.line').count()) === 16, 'they are rows');
  await cardOf(page, id).getByRole('button', { name: 'Neither' }).click();
  await until(async () => (await page.locator('.line').count()) === 17 && (await page.locator('.card').count()) === 0, 'the question is answered');
  const heights = await page.locator('.line').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  assert.ok(heights.every((height) => height <= 36), `${heights}`);
  await fixture.browser.screenshot(page, 'list');
  await page.getByRole('group', { name: 'Layout' }).getByRole('button', { name: 'Cards' }).click();
  await until(async () => (await page.locator('.card').count()) === 17, 'they are cards');
  await page.reload();
  await page.locator('.card').first().waitFor();
  assert.equal(await page.locator('.line').count(), 0);
  await page.goto(fixture.urlOf('#/?view=list')); // an address names its layout
  await page.locator('.line', { hasText: 'Row 15' }).click();
  await page.locator('h1', { hasText: 'Row 15' }).waitFor();
});
