import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { corpus } from './lib/corpus.mjs';
import { pageFixture, settled } from './lib/fixture.mjs';
import { until } from '../support/until.mjs';

const fixture = pageFixture();
const MAX_LENGTH = 60_000; // well below the limit of a hook's body

test('R_PAGE_2 hostile text of agents, tools, users and services is shown as text and never runs', async () => {
  const { server } = fixture;
  const texts = (await corpus()).map(({ name, text }) => ({ name, text: text.toWellFormed().slice(0, MAX_LENGTH) }));
  for (const { name, text } of texts) {
    await server.hook('hostile', 'user-prompt-submit', { prompt: `${name}: ${text}` });
    await server.hook('hostile', 'pre-tool-use', { tool_name: `Bash ${text.slice(0, 60)}`, tool_input: { command: text }, tool_use_id: `call-${name}` });
    await server.hook('hostile', 'post-tool-use', { tool_name: `Bash ${text.slice(0, 60)}`, tool_input: { command: text }, tool_response: { stdout: text }, tool_use_id: `call-${name}` });
    await server.hook('hostile', 'stop', { last_assistant_message: `${name}: ${text}` });
    await server.post('/api/events', { type: 'deploy', text, data: { text: text.slice(0, 1000) } });
  }
  await server.startSession('list', { title: texts[0].text, project_id: 'shop' });
  const page = await fixture.open('#/sessions/hostile');
  await page.locator('.conversation[data-complete]').waitFor();
  // Renders every item once, from the end to the beginning, with open tools.
  await page.evaluate(async () => {
    const scroller = document.querySelector('.scroller');
    for (let i = 0; i < 400; ++i) {
      for (const head of document.querySelectorAll('.tool-head[aria-expanded="false"]')) head.click();
      await new Promise((resolve) => setTimeout(resolve, 16));
      if (scroller.scrollTop === 0) break;
      scroller.scrollTop -= 500;
    }
  });
  for (const hash of ['#/', '#/events', '#/needs-you', '#/?by=project']) {
    await page.goto(fixture.urlOf(hash));
    await settled(page);
  }
  assert.equal(await page.evaluate(() => globalThis.__ran), undefined);
  assert.equal(await page.locator('main img, main script, main style, main iframe').count(), 0);
  const links = await page.locator('main a').evaluateAll((found) => found.map((link) => link.href));
  for (const link of links) assert.match(link, /^https?:/);
  const shown = await page.locator('main').evaluate((main) => main.textContent);
  assert.doesNotMatch(shown, /[\u0000-\u0008\u000e-\u001f\u202a-\u202e\u2066-\u2069]/);
});

test('R_PAGE_2 a line of three million characters, a flood and broken UTF-8 leave the page usable', async () => {
  const id = await fixture.server.startSession('longline 3000000');
  await fixture.server.idle(id);
  await fixture.server.sendMessage(id, 'invalid-utf8');
  await fixture.server.idle(id);
  await fixture.server.sendMessage(id, 'flood 6000');
  await fixture.server.idle(id);
  const page = await fixture.open(`#/sessions/${id}`);
  await until(async () => Number(await page.locator('.conversation[data-complete]').getAttribute('data-events')) === (await fixture.server.events(id)).length, 'every event is loaded');
  const start = Date.now();
  await page.evaluate(() => { document.querySelector('.scroller').scrollTop = 0; });
  await until(async () => (await page.locator('.more').count()) > 0 || Date.now() - start > 4000, 'the long line is truncated');
  assert.ok((await page.evaluate(() => document.body.textContent.length)) < 500_000);
  assert.ok((await page.evaluate(() => document.querySelector('.scroller').scrollWidth - document.querySelector('.scroller').clientWidth)) <= 1);
});

test('R_PAGE_2 hostile content of a file is shown as text', async () => {
  fs.writeFileSync(path.join(fixture.server.workspace, 'evil.html'), '<script>window.__ran = 1</script>\u001b[2J\u202e gnp.exe\n<img src=x onerror=window.__ran=1>');
  const id = await fixture.server.startSession('read evil.html');
  await fixture.server.idle(id);
  const page = await fixture.open(`#/sessions/${id}`);
  await page.locator('.tool-head').click();
  assert.match(await page.locator('.tool-body').textContent(), /<script>window\.__ran = 1<\/script>\u241b\[2J\u27e8U\+202E\u27e9/);
  assert.equal(await page.evaluate(() => globalThis.__ran), undefined);
});

test('R_PAGE_2 the output of a terminal has colours, and nothing else of its control sequences', async () => {
  const { server } = fixture;
  const stdout = '\u001b[31;41mred on red\u001b[0m\u001b[8mconcealed\u001b[0m \u001b]8;;javascript:globalThis.__ran=1\u001b\\a link\u001b]8;;\u001b\\ \u001b]0;a title\u0007'
    + '\u001b[2J\u001b[1;1Hhome \u001b[38;5;46mgreen\u001b[m \u001bPq#0;2;0;0;0\u001b\\ \u001b[31m<img src=x onerror=globalThis.__ran=1>\u001b[0m \u001b[1;31\nunfinished \u202e';
  await server.hook('terminal', 'user-prompt-submit', { prompt: 'run it' });
  await server.hook('terminal', 'pre-tool-use', { tool_name: 'Bash', tool_input: { command: 'printf \u001b[8mhidden' }, tool_use_id: 'c1' });
  await server.hook('terminal', 'post-tool-use', { tool_name: 'Bash', tool_input: { command: 'printf \u001b[8mhidden' }, tool_response: { stdout }, tool_use_id: 'c1' });
  const page = await fixture.open('#/sessions/terminal');
  const tool = page.locator('.tool');
  assert.equal(await tool.locator('.tool-summary').textContent(), '$ printf \u241b[8mhidden'); // a command hides nothing
  await tool.locator('.tool-head').click();
  const output = tool.locator('.code').last();
  const text = await output.textContent();
  for (const part of ['red on red', 'concealed', 'a link', 'home green', '<img src=x onerror=globalThis.__ran=1>', '\u241b[1;31\nunfinished', '\u27e8U+202E\u27e9']) assert.ok(text.includes(part), `${part} in ${text}`);
  for (const part of ['javascript', 'a title', '[2J', '#0;2']) assert.ok(!text.includes(part), `${part} in ${text}`);
  assert.doesNotMatch(text, /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202e]/);
  assert.equal(await tool.locator('a, img').count(), 0);
  assert.equal(await page.evaluate(() => globalThis.__ran), undefined);
  // Text on its own colour is readable.
  const style = await output.locator('.ansi-on-red').evaluate((element) => [getComputedStyle(element).color, getComputedStyle(element).backgroundColor]);
  assert.notEqual(style[0], style[1]);
});
