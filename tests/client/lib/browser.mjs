// Debian's Chromium, with pages of the server's own origin that have the module.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const BUILT = path.resolve(import.meta.dirname, '../../../build/web');
const { chromium } = createRequire(path.join(BUILT, 'package.json'))('playwright-core');

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];
const PAGE = '<!doctype html><title>client</title>';

export const startBrowser = () => chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS });

export class Tabs {
  faults = [];
  #context;
  #url;

  static async open(browser, url) {
    const tabs = new Tabs();
    tabs.#url = url;
    tabs.#context = await browser.newContext();
    const module = fs.readFileSync(path.join(BUILT, 'oriel.js'), 'utf8');
    await tabs.#context.route('**/client-test.html', (route) => route.fulfill({ contentType: 'text/html', body: PAGE }));
    await tabs.#context.route('**/oriel.js', (route) => route.fulfill({ contentType: 'text/javascript', body: module }));
    return tabs;
  }

  // A tab with a stream in it.
  async watch(options = {}) {
    const page = await this.#context.newPage();
    page.on('pageerror', (error) => this.faults.push(error));
    await page.goto(`${this.#url}/client-test.html`);
    await page.evaluate(async (given) => {
      const { openStream } = await import('/oriel.js');
      window.ids = [];
      window.gaps = [];
      window.stream = openStream({ minDelay: 20, maxDelay: 200, ...given });
      window.stream.onEvents((events) => window.ids.push(...events.map((event) => event.id)));
      window.stream.onGap((gap) => window.gaps.push(gap));
    }, options);
    return {
      page,
      ids: () => page.evaluate(() => window.ids),
      gaps: () => page.evaluate(() => window.gaps),
      phase: () => page.evaluate(() => window.stream.state.phase),
      close: () => page.close(),
    };
  }

  close() {
    return this.#context.close();
  }
}
