import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { pageFixture } from './lib/fixture.mjs';

const agent = path.join(import.meta.dirname, 'lib/usage_agent.mjs');
const fixture = pageFixture(['--agent', `usage=${process.execPath} ${agent}`]);

test('R_PAGE_2 tokens and cost cover the whole session, live and after a reload', async () => {
  const id = await fixture.server.startSession('first');
  await fixture.server.idle(id);
  const page = await fixture.open(`#/sessions/${id}`);
  const facts = page.locator('.session-head .facts');
  await facts.getByText('$0.50').waitFor();
  await fixture.server.sendMessage(id, 'second');
  await facts.getByText('$1.00').waitFor();
  assert.match(await facts.textContent(), /Tokens2(\.0)?k.*Context\s*20 %/s);
  await page.keyboard.press('o');
  const foot = page.locator(`.card[data-session-id="${id}"] .card-foot`);
  assert.match(await foot.textContent(), /2(\.0)?k tok\$1\.00/);
  await page.reload();
  assert.match(await foot.textContent(), /2(\.0)?k tok\$1\.00/);
  await page.goto(fixture.urlOf(`#/sessions/${id}`));
  await facts.getByText('$1.00').waitFor();
});
