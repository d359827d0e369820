import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { pageFixture } from './lib/fixture.mjs';

const agent = path.join(import.meta.dirname, 'lib/asking_agent.mjs');
const fixture = pageFixture(['--agent', `asking=${process.execPath} ${agent}`]);

const OPTIONS = [
  { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

// Starts a session that asks for this tool call, and returns its id and its panel on a page.
async function ask(toolCall, hash = (id) => `#/sessions/${id}`) {
  const message = JSON.stringify({ toolCall: { toolCallId: 't', ...toolCall }, options: OPTIONS });
  const id = await fixture.server.startSession(message, { title: 'asks', agent: 'asking' });
  const page = await fixture.open(hash(id));
  const panel = page.locator('.ask');
  await page.locator('.ask[data-keys="on"]').waitFor();
  return { id, page, panel };
}

const answer = async (id) => (await fixture.server.events(id)).find((event) => event.type === 'permission' && event.status !== 'pending')?.data.option_id;

test('R_TRUTH_1 the panel shows every field, the diff and hidden characters', async () => {
  const { id, page, panel } = await ask({
    title: 'Write made.txt', kind: 'edit', rawInput: { command: 'rm \u202e/tmp', deep: { list: [0, '', null] } }, locations: [{ path: '/w/made.txt' }],
    content: [{ type: 'diff', path: '/w/made.txt', oldText: 'one\ntwo\n', newText: 'one\n2\n' }],
  });
  const rows = await panel.locator('.ask-row').allTextContents();
  for (const row of ['input.command rm \u27e8U+202E\u27e9/tmp', 'input.deep.list[0] 0', 'input.deep.list[1] ""', 'input.deep.list[2] null', 'details.kind edit',
    'details.locations[0].path /w/made.txt', 'details.content[0] oldText \u2192 newText', '-two', '+2', 'details.content[0].type diff']) {
    assert.ok(rows.includes(row), `${row} in ${JSON.stringify(rows)}`);
  }
  await fixture.browser.screenshot(page, 'approval');
  await panel.getByRole('button', { name: 'Reject' }).click();
  await fixture.server.idle(id);
  assert.equal(await answer(id), 'no');
});

test('R_TRUTH_1 a long request is opened before it can be allowed, with the mouse or a key', async () => {
  const content = Array.from({ length: 500 }, (_, i) => `line ${i}\n`).join('');
  const { id, page, panel } = await ask({ title: 'Write much', rawInput: { content } }, () => '#/needs-you');
  assert.equal(await panel.locator('.ask-row').count(), 40);
  for (const kind of ['allow_once', 'allow_always']) assert.ok(await panel.locator(`[data-option-kind="${kind}"]`).isDisabled(), kind);
  assert.ok(await panel.locator('[data-option-kind="reject_once"]').isEnabled());
  await page.keyboard.press('1');
  await panel.getByRole('button', { name: '461 more lines' }).click();
  assert.equal(await panel.locator('.ask-row').last().textContent(), '\u2502line 499');
  assert.ok(await panel.evaluate((element) => [...element.querySelectorAll('.ask-rows, .ask-rows *')].every((inner) => inner.scrollHeight <= inner.clientHeight + 1 || inner.clientHeight === 0)), 'nothing scrolls inside');
  assert.equal(await answer(id), undefined);
  await page.keyboard.press('1');
  await fixture.server.idle(id);
  assert.equal(await answer(id), 'yes');
});

test('R_TRUTH_1 an option that lasts stands apart, says what it allows and has no key', async () => {
  const { id, page, panel } = await ask({ title: 'Run it', kind: 'execute', rawInput: { command: 'ls' } }, () => '#/needs-you');
  const lasting = panel.getByRole('group', { name: 'Future requests' });
  assert.deepEqual(await panel.locator('.ask-options button').allTextContents(), ['1Allow', '2Reject']);
  assert.deepEqual(await lasting.locator('li').allTextContents(), ['Allows later requests of kind execute, as the agent understands "Always allow"']);
  await page.keyboard.press('3');
  assert.equal(await answer(id), undefined);
  await lasting.getByRole('button', { name: 'Always allow' }).click();
  await fixture.server.idle(id);
  assert.equal(await answer(id), 'always');
});

test('R_TRUTH_1 a notification says what is asked and allows nothing', async () => {
  const page = await fixture.open('#/');
  await page.evaluate(() => {
    globalThis.__notes = [];
    globalThis.Notification = class { static permission = 'granted'; static requestPermission = async () => 'granted'; constructor(title, options) { globalThis.__notes.push({ title, ...options }); } };
    Object.defineProperty(document, 'hidden', { get: () => true });
  });
  await page.goto(fixture.urlOf('#/needs-you'));
  await page.getByLabel('Notify me').check();
  const message = JSON.stringify({ toolCall: { toolCallId: 't', title: 'Run it', rawInput: { command: 'rm \u202ex', more: 1 } }, options: OPTIONS });
  const id = await fixture.server.startSession(message, { title: 'asks', agent: 'asking' });
  await page.waitForFunction(() => globalThis.__notes.length > 0);
  const [note] = await page.evaluate(() => globalThis.__notes);
  assert.equal(note.body, 'Run it\ninput.command: rm \u27e8U+202E\u27e9x\n1 more line on the page');
  assert.equal(note.actions, undefined);
  await page.locator('.ask').getByRole('button', { name: 'Reject' }).click();
  await fixture.server.idle(id);
});
