import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { house } from './lib/house.mjs';
import { ROOT } from './lib/server.mjs';

const home = house(['--agent', `paid=${process.execPath} ${path.join(ROOT, 'tests/page/lib/paid_agent.mjs')}`]);

test('R_PAGE_2 tokens and cost are those of the whole session, as they grow and when the page is opened anew', async () => {
  const id = await home.server.session('first');
  await home.server.rested(id);
  const page = await home.open(`#/sessions/${id}`);
  const facts = page.locator('.session-head .facts');
  await facts.getByText('$0.50').waitFor();
  await home.server.say(id, 'second');
  await facts.getByText('$1.00').waitFor();
  assert.match(await facts.textContent(), /Tokens2(\.0)?k.*Context\s*20 %/s);
  await page.keyboard.press('o');
  const foot = page.locator(`.card[data-session-id="${id}"] .card-foot`);
  assert.match(await foot.textContent(), /2(\.0)?k tok\$1\.00/);
  await page.reload();
  assert.match(await foot.textContent(), /2(\.0)?k tok\$1\.00/);
  await page.goto(home.at(`#/sessions/${id}`));
  await facts.getByText('$1.00').waitFor();
});
