import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bubbles, pageFixture, settled } from './lib/fixture.mjs';
import { until } from '../support/until.mjs';

const fixture = pageFixture();
// Resolves with a time after the given one, both in milliseconds.
const timeAfter = async (time) => new Date(await until(() => Date.now() > Date.parse(time) && Date.now(), 'the clock goes on')).toISOString();

test('R_TURN_4 a bubble whose time is corrected shows the new time and moves to its position', async () => {
  const { server } = fixture;
  await server.hook('agent-1', 'session-start', { source: 'startup' });
  await server.hook('agent-1', 'user-prompt-submit', { prompt: 'first' });
  const page = await fixture.open('#/sessions/agent-1');
  await page.locator('.bubble', { hasText: 'first' }).waitFor();
  const between = await timeAfter((await server.get('/api/sessions/agent-1/turns')).turns[0].timestamp);
  await timeAfter(between);
  await server.hook('agent-1', 'stop', { last_assistant_message: 'Second.' });
  await page.locator('.bubble', { hasText: 'Second.' }).waitFor();
  await server.hook('agent-1', 'user-prompt-submit', { prompt: 'third' });
  await page.locator('.bubble', { hasText: 'third' }).waitFor();
  assert.deepEqual((await bubbles(page)).map(({ text }) => text), ['first', 'Second.', 'third']);
  const before = (await bubbles(page)).find(({ text }) => text === 'third');

  // By the transcript the third turn precedes the second.
  const [first, second] = (await server.get('/api/sessions/agent-1/turns')).turns;
  server.appendTranscript('agent-1', 'user', 'u1', first.timestamp, 'first');
  server.appendTranscript('agent-1', 'assistant', 'a1', second.timestamp, 'Second.');
  server.appendTranscript('agent-1', 'user', 'u2', between, 'third');
  await until(async () => (await bubbles(page)).map(({ text }) => text).join() === 'first,third,Second.', 'the bubble has moved');
  const moved = (await bubbles(page)).find(({ text }) => text === 'third');
  assert.equal(moved.turn, before.turn);
  assert.notEqual(moved.timestamp, before.timestamp);
  assert.equal(moved.timestamp, between);
  const expected = (await server.get('/api/sessions/agent-1/turns')).turns.map((turn) => turn.turn_id);
  assert.deepEqual((await bubbles(page)).map(({ turn }) => turn), expected);
  await fixture.browser.screenshot(page, 'corrected');
});

test('R_PAGE_2 an observed agent is shown with its current tool, and has no composer', async () => {
  const { server } = fixture;
  await server.hook('agent-2', 'user-prompt-submit', { prompt: 'run the tests' });
  await server.hook('agent-2', 'pre-tool-use', { tool_name: 'Bash', tool_input: { command: 'make test' }, tool_use_id: 'call-1' });
  const page = await fixture.open('#/');
  const card = page.locator('.card', { hasText: 'run the tests' });
  await card.locator('.now', { hasText: 'Bash' }).waitFor();
  assert.match(await card.textContent(), /observed/);
  await card.click();
  await page.locator('.tool[data-status="running"]', { hasText: 'make test' }).waitFor();
  await page.locator('.composer-closed', { hasText: 'Observed agent' }).waitFor();
  assert.equal(await page.getByLabel('Message to the agent').count(), 0);
});

test('R_TURN_4 every bubble of a hosted session has its turn and timestamp', async () => {
  const id = await fixture.server.startSession('search never');
  await fixture.server.idle(id);
  const page = await fixture.open(`#/sessions/${id}`);
  await settled(page);
  assert.ok((await bubbles(page)).every(({ turn, timestamp }) => turn && timestamp), 'all bubbles have a turn');
  const { turns } = await fixture.server.get(`/api/sessions/${id}/turns`);
  assert.deepEqual((await bubbles(page)).map(({ turn }) => turn), turns.map((turn) => turn.turn_id));
});
