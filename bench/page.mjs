// Measures the page under load: opens and scrolls a session of 50 000 events, and watches 200 agents with 500 events per second.
// Prints what Chromium measures. Fails beyond the promised limits (1 s to open, no browser task above 200 ms) and when the events
// are slower than requested.
//   node bench/page.mjs [--events N] [--agents N] [--rate N] [--seconds N] [--markdown]

import path from 'node:path';
import { parseArgs } from 'node:util';
import { Browser } from '../tests/page/lib/browser.mjs';
import { PageServer } from '../tests/page/lib/page_server.mjs';
import { until } from '../tests/support/until.mjs';

const { values } = parseArgs({ options: {
  events: { type: 'string', default: '50000' }, agents: { type: 'string', default: '200' }, rate: { type: 'string', default: '500' }, seconds: { type: 'string', default: '20' },
  markdown: { type: 'boolean', default: false },
} });
const wanted = Object.fromEntries(['events', 'agents', 'rate', 'seconds'].map((name) => [name, Number(values[name])]));

const agent = `${process.execPath} ${path.join(import.meta.dirname, 'page_agent.mjs')}`;
const server = await new PageServer(['--agent', `steps=${agent}`, '--max-event-rate', '100000', '--max-observed', '400']).start();
const browser = await new Browser().start();

// Durations of long tasks of the browser, from the start of the page.
const watchTasks = () => {
  globalThis.__tasks = [];
  new PerformanceObserver((list) => globalThis.__tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: 'longtask', buffered: true });
};
const longTasks = (page) => page.evaluate(() => globalThis.__tasks);

async function freshPage(hash) {
  const context = await browser.context();
  await context.addInitScript(watchTasks);
  return browser.page(`${server.url}/${hash}`, { context });
}

// Runs tasks until the session has the requested number of events: the first task shows how many events a step makes.
async function createLongSession() {
  let steps = 1000;
  const id = await server.startSession(String(steps), { agent: 'steps', title: 'A long session' });
  for (;;) {
    const { last_index: last } = await until(async () => {
      const session = await server.get(`/api/sessions/${id}`);
      return session.state === 'complete' && session;
    }, 'the task is complete', 300_000);
    const missing = wanted.events - (last + 1);
    if (missing <= 0) return { id, events: last + 1 };
    const more = Math.ceil(missing * (steps / (last + 1)));
    await server.sendMessage(id, String(more));
    steps += more;
  }
}

async function openLongSession() {
  const { id, events } = await createLongSession();
  const page = await freshPage('#/');
  await page.locator('.card, .line').first().waitFor();
  const opened = await page.evaluate(async (session) => {
    const start = performance.now();
    location.hash = `#/sessions/${session}`;
    const shown = () => [...document.querySelectorAll('.completion[data-status="completed"]')].some((completion) => {
      const box = completion.getBoundingClientRect();
      return box.height > 0 && box.top < innerHeight;
    });
    while (!shown()) await new Promise(requestAnimationFrame);
    return performance.now() - start;
  }, id);
  const shown = Date.now();
  await until(async () => Number(await page.locator('.conversation[data-complete]').getAttribute('data-events')) >= events, 'every event is loaded', 60_000);
  const filled = Date.now() - shown;
  const frames = await page.evaluate(async () => {
    const scroller = document.querySelector('.scroller');
    const gaps = [];
    let before = performance.now();
    for (let i = 0; i < 180; ++i) {
      scroller.scrollTop -= i % 60 === 59 ? scroller.scrollHeight / 4 : 160;
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      gaps.push(now - before);
      before = now;
    }
    return gaps.sort((a, b) => a - b);
  });
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
  const items = await page.evaluate(() => document.querySelector('[aria-setsize]').getAttribute('aria-setsize'));
  const result = { events, items: Number(items), openedMs: opened, filledMs: filled, frameP50: frames[90], frameP99: frames[177], nodes, longestMs: Math.max(0, ...(await longTasks(page))) };
  await page.context().close();
  return result;
}

// One round of an observed agent: a prompt, a tool call, an answer.
function nextHook(name, step) {
  const round = Math.floor(step / 4);
  const call = { tool_name: 'Bash', tool_input: { command: `make part-${round}` }, tool_use_id: `call-${round}` };
  switch (step % 4) {
    case 0: return server.hook(name, 'stop', { last_assistant_message: `Round ${round} is complete: all parts of ${name} are built.` });
    case 1: return server.hook(name, 'user-prompt-submit', { prompt: `Build part ${round}` });
    case 2: return server.hook(name, 'pre-tool-use', call);
    default: return server.hook(name, 'post-tool-use', { ...call, tool_response: { stdout: 'done' } });
  }
}

const head = async () => (await server.get('/health')).journal.head;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Sends hooks so that the journal grows by `wanted.rate` events per second. The number of events per hook depends on its kind, so
// the head of the journal controls the rate. Returns the elapsed seconds and the number of stored events.
async function sendHooks(names) {
  const before = await head();
  const start = Date.now();
  const pending = new Set();
  const send = (sent) => {
    const hook = nextHook(names[sent % names.length], Math.floor(sent / names.length)).catch(() => {}).finally(() => pending.delete(hook)); // a rejected hook is replaced by another
    pending.add(hook);
  };
  let sent = 0;
  for (let seconds = 0; ; await pause(10)) {
    const stored = (await head()) - before;
    seconds = (Date.now() - start) / 1000;
    if (seconds >= wanted.seconds) {
      await Promise.all(pending);
      return { seconds, stored };
    }
    const perHook = sent > pending.size ? Math.max(1, stored / (sent - pending.size)) : 2;
    const missing = wanted.rate * seconds - stored - pending.size * perHook;
    for (let due = Math.round(missing / perHook); due > 0 && pending.size < 64; --due) send(sent++);
  }
}

async function watchManyAgents() {
  const names = Array.from({ length: wanted.agents }, (_, i) => `agent-${i}`);
  for (const name of names) await server.hook(name, 'user-prompt-submit', { prompt: `Work of ${name}` });
  const page = await freshPage('#/');
  await until(async () => (await page.locator('.card-place').count()) >= wanted.agents, 'all agents are shown', 30_000);
  await page.evaluate(() => { globalThis.__tasks = []; });
  const before = await head();
  const { seconds, stored } = await sendHooks(names);
  const newest = await head();
  await page.goto(`${server.url}/#/events`);
  await until(async () => Number((await page.locator('.page-head .dim').textContent()).replace(/\D/g, '')) >= newest - before, 'the page has received all events', 30_000);
  const long = await longTasks(page);
  const result = { agents: wanted.agents, perSecond: stored / seconds, longestMs: Math.max(0, ...long), tasksAbove50: long.length };
  await page.context().close();
  return result;
}

const long = await openLongSession();
const many = await watchManyAgents();
await browser.stop();
await server.remove();

const ms = (value) => `${Math.round(value)} ms`;
const reached = Math.round(many.perSecond);
if (values.markdown) {
  console.log(`| The page | | Limit |
|---|---|---|
| Session of ${long.events} events: shown after | ${ms(long.openedMs)} | 1 s |
| completely loaded after | ${ms(long.filledMs)} more | |
| frames while scrolling, median and p99 | ${ms(long.frameP50)}, ${ms(long.frameP99)} | |
| elements in the document | ${long.nodes} | |
| longest browser task | ${ms(long.longestMs)} | 200 ms |
| ${many.agents} agents, events/s | ${reached} of ${wanted.rate} | |
| longest browser task, and tasks above 50 ms | ${ms(many.longestMs)}, ${many.tasksAbove50} | 200 ms |`);
} else {
  console.log(`Session of ${long.events} events (${long.items} items): shown after ${ms(long.openedMs)}, completely loaded after ${ms(long.filledMs)} more; `
    + `frames while scrolling ${ms(long.frameP50)} (median), ${ms(long.frameP99)} (p99); ${long.nodes} elements in the document; longest browser task ${ms(long.longestMs)}.`);
  console.log(`${many.agents} agents, ${reached} of ${wanted.rate} events/s: longest browser task ${ms(many.longestMs)}, ${many.tasksAbove50} tasks above 50 ms.`);
}
const isSlow = long.openedMs > 1000 || Math.max(long.longestMs, many.longestMs) > 200;
if (isSlow || many.perSecond < 0.95 * wanted.rate) process.exitCode = 1;
