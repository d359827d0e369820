import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seriousFindings } from './lib/browser.mjs';
import { pageFixture, settled } from './lib/fixture.mjs';
import { until } from '../support/until.mjs';

const fixture = pageFixture([], { pace: 50 }); // events of a task have different times

// A session with a question that was open for a while, in a replay that is paused at its beginning.
async function openReplay() {
  const id = await fixture.server.startSession('search never');
  await fixture.server.idle(id);
  await fixture.server.sendMessage(id, 'slow 1s ask');
  const { permissions: [{ permission_id: permission }] } = await until(async () => {
    const session = await fixture.server.get(`/api/sessions/${id}`);
    return session.permissions.length > 0 && session;
  }, 'it asks');
  await fixture.server.post(`/api/sessions/${id}/permissions/${permission}`, { option_id: 'tea' });
  await fixture.server.idle(id);
  const page = await fixture.open(`#/sessions/${id}`);
  await page.getByRole('button', { name: 'Replay' }).click();
  const position = page.getByLabel('Position');
  await position.fill('0');
  const events = await fixture.server.events(id);
  const seek = (event) => position.evaluate((input, share) => {
    input.value = String(share);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, positionOf(events, event));
  return { id, page, events, seek };
}

// The position of an event in the player: pauses take at most two seconds.
function positionOf(events, wanted) {
  let position = 0;
  let last = Date.parse(events[0].timestamp);
  for (const event of events) {
    position += Math.min(2000, Math.max(0, Date.parse(event.timestamp) - last));
    last = Math.max(last, Date.parse(event.timestamp));
    if (event === wanted) return position;
  }
  throw new Error('no such event');
}

test('R_TRUTH_4 a replay shows the state, the tool, the clock and the time of its moment', async () => {
  const { page, events, seek } = await openReplay();
  const head = page.locator('.session-head');
  const call = events.find((event) => event.type === 'tool_call');
  await seek(call);
  await head.locator('.pill', { hasText: 'working' }).waitFor();
  await head.locator('.now', { hasText: call.tool_name }).waitFor();
  assert.match(await page.locator('.tool[data-status="running"] .tool-time').textContent(), /^\d s$/);
  assert.match(await head.locator('.facts', { hasText: 'Started' }).textContent(), /now/);
  await seek(events.find((event) => event.type === 'permission'));
  await head.locator('.pill', { hasText: 'needs you' }).waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  await fixture.browser.screenshot(page, 'replay');
  await seek(events.at(-1));
  await head.locator('.pill', { hasText: 'idle' }).waitFor();
  const total = (Date.parse(events.at(-1).timestamp) - Date.parse(events[0].timestamp)) / 1000;
  const seconds = (Math.floor(total * 10) / 10).toFixed(1);
  assert.equal(await page.locator('.replay-time').textContent(), `${seconds} s / ${seconds} s`);
  assert.equal(await page.locator('.replay-moment').getAttribute('datetime'), events.at(-1).timestamp);
  assert.equal(await page.locator('.replay-count').textContent(), `${events.length} / ${events.length}`);
});

test('R_PAGE_2 the timeline shows the moment of a replay, and a click on it seeks', async () => {
  const { page } = await openReplay();
  const strip = page.getByRole('slider', { name: 'Timeline' });
  const playhead = async () => {
    const [box, head] = [await strip.boundingBox(), await page.locator('.timeline-playhead').boundingBox()];
    return (head.x + head.width / 2 - box.x) / box.width;
  };
  assert.ok((await playhead()) < 0.01);
  const box = await strip.boundingBox();
  await strip.click({ position: { x: box.width * 0.7, y: 4 } });
  await until(async () => Math.abs((await playhead()) - 0.7) < 0.01, 'the playhead is where the click was');
  await until(async () => (await page.locator('.bubble[data-role="user"]', { hasText: 'slow 1s ask' }).count()) === 1, 'what has happened by then is shown');
  await page.getByRole('button', { name: 'Exit replay' }).click();
  assert.equal(await page.locator('.timeline-playhead').count(), 0);
});

test('R_PAGE_2 the timeline names what is under the pointer, and keys go through it', async () => {
  const id = await fixture.server.startSession('list');
  for (let i = 0; i < 12; ++i) await fixture.server.sendMessage(id, 'search never');
  await fixture.server.idle(id);
  const page = await fixture.open(`#/sessions/${id}`);
  await settled(page);
  const strip = page.getByRole('slider', { name: 'Timeline' });
  const readout = page.locator('.timeline-readout');
  const tool = await page.locator('.timeline-span[data-kind="tool"]').first().boundingBox();
  await page.mouse.move(tool.x + tool.width / 2, tool.y + tool.height / 2);
  await until(async () => /^\S+.* \u00b7 /.test(await readout.textContent()), 'the tool is named');
  assert.doesNotMatch(await readout.textContent(), /^You/);
  await page.mouse.move(0, 0);
  await strip.focus();
  await page.keyboard.press('Home');
  assert.match(await strip.getAttribute('aria-valuetext'), /^You( and \d+ more)? \u00b7 /);
  const first = await strip.getAttribute('aria-valuenow');
  await page.keyboard.press('ArrowRight');
  assert.equal(Number(await strip.getAttribute('aria-valuenow')), Number(first) + 1);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.row [data-role="user"]')?.getBoundingClientRect().top >= document.querySelector('.scroller').getBoundingClientRect().top - 1
    && document.querySelector('.scroller').scrollTop < 60);
  assert.ok((await page.locator('.timeline-ticks span').count()) >= 1);
  assert.match(await page.locator('.timeline-legend').textContent(), /YouAgentTool/);
  assert.deepEqual(await seriousFindings(page), []);
  await fixture.browser.screenshot(page, 'timeline');
});
