// Chromium, driven by playwright-core. Every page's console is listened to: an error in it fails the test, unless the test
// has said which it expects.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from './server.mjs';

const installed = createRequire(path.join(ROOT, 'build/web/package.json'));
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const SHOTS = path.join(ROOT, 'build/page-screenshots');

export class Browser {
  #browser;
  #contexts = [];
  problems = [];
  expected = []; // what the console may say

  async start() {
    const { chromium } = installed('playwright-core');
    this.#browser = await chromium.launch({ executablePath: process.env.ORIEL_CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
    fs.mkdirSync(SHOTS, { recursive: true });
    return this;
  }

  async context(options = {}) {
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    context.setDefaultTimeout(15_000);
    this.#contexts.push(context);
    return context;
  }

  async page(url, { context, ...options } = {}) {
    const page = await (context ?? (await this.context(options))).newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.problems.push(`${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => this.problems.push(`${error.message}\n${error.stack}`));
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== new URL(url).origin) this.problems.push(`asks another host: ${request.url()}`);
    });
    await page.goto(url);
    await page.locator('.light:not([data-phase="connecting"])').waitFor();
    return page;
  }

  shot(page, name) {
    return page.screenshot({ path: path.join(SHOTS, `${name}.png`) });
  }

  async closeContexts() {
    for (const context of this.#contexts.splice(0)) await context.close();
  }

  // Between tests: nothing was said that nobody expected.
  async calm() {
    await this.closeContexts();
    const bad = this.problems.splice(0).filter((problem) => !this.expected.some((pattern) => pattern.test(problem)));
    this.expected = [];
    assert.deepEqual(bad, [], 'the console has errors');
  }

  stop() {
    return this.#browser.close();
  }
}

// What axe finds serious on a page.
export async function seriousFindings(page) {
  const source = fs.readFileSync(installed.resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(source); // not a script element: the page's policy refuses those
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 160)} (${failureSummary.replace(/\s+/g, ' ').slice(0, 200)})`).join(' | ')}`);
}
