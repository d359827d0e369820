// Browser tabs of the server's origin with the client module.

import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../support/server.mjs';

const MODULE = path.join(ROOT, 'build/web/oriel.js');
const PAGE = '<!doctype html><title>client</title>';

export class Tabs {
  errors = [];
  #context;
  #url;

  static async open(browser, url) {
    const tabs = new Tabs();
    tabs.#url = url;
    tabs.#context = await browser.newContext();
    const module = fs.readFileSync(MODULE, 'utf8');
    await tabs.#context.route('**/client-test.html', (route) => route.fulfill({ contentType: 'text/html', body: PAGE }));
    await tabs.#context.route('**/oriel.js', (route) => route.fulfill({ contentType: 'text/javascript', body: module }));
    return tabs;
  }

  // A tab with an open stream.
  async watch(options = {}) {
    const page = await this.#context.newPage();
    page.on('pageerror', (error) => this.errors.push(error));
    await page.goto(`${this.#url}/client-test.html`);
    await page.evaluate(async (streamOptions) => {
      const { openStream } = await import('/oriel.js');
      window.ids = [];
      window.gaps = [];
      window.stream = openStream({ minDelay: 20, maxDelay: 200, ...streamOptions });
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
