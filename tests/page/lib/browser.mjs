// Chromium with a watch on every console: an error or warning that a test does not expect fails it.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { installed, launchChromium } from '../../support/chromium.mjs';
import { ROOT } from '../../support/server.mjs';

const SCREENSHOTS = path.join(ROOT, 'build/page-screenshots');

export class Browser {
  #browser;
  #contexts = [];
  problems = [];
  expected = []; // patterns of problems that are allowed until the test ends

  async start() {
    this.#browser = await launchChromium();
    fs.mkdirSync(SCREENSHOTS, { recursive: true });
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
      if (new URL(request.url()).origin !== new URL(url).origin) this.problems.push(`request to another host: ${request.url()}`);
    });
    await page.goto(url);
    await page.locator('.connection:not([data-phase="connecting"])').waitFor();
    return page;
  }

  screenshot(page, name) {
    return page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`) });
  }

  async closeContexts() {
    for (const context of this.#contexts.splice(0)) await context.close();
  }

  async assertNoProblems() {
    await this.closeContexts();
    const unexpected = this.problems.splice(0).filter((problem) => !this.expected.some((pattern) => pattern.test(problem)));
    this.expected = [];
    assert.deepEqual(unexpected, [], 'the console has errors');
  }

  stop() {
    return this.#browser.close();
  }
}

// The serious and critical findings of axe on a page.
export async function seriousFindings(page) {
  const source = fs.readFileSync(installed.resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(source); // the page's policy forbids a script element
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 160)} (${failureSummary.replace(/\s+/g, ' ').slice(0, 200)})`).join(' | ')}`);
}
