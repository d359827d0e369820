// A server, a proxy in front of it and a browser, for one test file. ORIEL_PAGE_FILES=build/web serves the page from that folder
// instead of the one inside the program, to test it without compiling.

import { after, afterEach, before } from 'node:test';
import { CuttingProxy } from '../../support/cutting_proxy.mjs';
import { Browser } from './browser.mjs';
import { servePageFile } from './page_files.mjs';
import { PageServer } from './page_server.mjs';

const ERROR = JSON.stringify({ error: { code: 'rejected', message: 'too many clients', hint: 'try again later' } });

class PageFixture {
  browser = new Browser();
  proxy;
  rejection; // { status, retryAfter, matches(path, method) }: these requests fail instead of reaching the server

  constructor(flags, options) {
    this.server = new PageServer(flags, options);
  }

  async start() {
    await this.server.start();
    this.proxy = await CuttingProxy.start(this.server.url);
    this.proxy.intercept = (request, response) => {
      const { pathname } = new URL(request.url, 'http://x');
      return this.#reject(pathname, request.method, response) || servePageFile(process.env.ORIEL_PAGE_FILES, pathname, response);
    };
    await this.browser.start();
  }

  async stop() {
    await this.browser.stop();
    this.proxy.stop();
    await this.server.remove();
  }

  urlOf(hash = '#/') {
    return `${this.proxy.url}/${hash}`;
  }

  open(hash, options) {
    return this.browser.page(this.urlOf(hash), options);
  }

  #reject(pathname, method, response) {
    if (!this.rejection?.matches(pathname, method)) return false;
    const { status, retryAfter } = this.rejection;
    const headers = { 'Content-Type': 'application/json' };
    if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter);
    response.writeHead(status, headers).end(ERROR);
    return true;
  }
}

// `prepare(fixture)` runs before the first test.
export function pageFixture(flags = [], { prepare, ...options } = {}) {
  const fixture = new PageFixture(flags, options);
  before(async () => {
    await fixture.start();
    await prepare?.(fixture);
  });
  afterEach(() => fixture.browser.assertNoProblems());
  after(() => fixture.stop());
  return fixture;
}

// Records how many user bubbles have this text, at each change of the document.
export async function recordCounts(page, text) {
  await page.evaluate((expected) => {
    globalThis.__counts = [];
    const record = () => {
      const found = [...document.querySelectorAll('.bubble[data-role="user"] .bubble-text')].filter((element) => element.textContent === expected).length;
      if (found !== globalThis.__counts.at(-1)) globalThis.__counts.push(found);
    };
    record();
    new MutationObserver(record).observe(document.body, { childList: true, subtree: true, characterData: true });
  }, text);
  return () => page.evaluate(() => globalThis.__counts);
}

// Resolves when the view is loaded and its layout has stayed the same for some frames.
export const settled = (page) => page.waitForFunction((frames) => {
  const main = document.querySelector('main');
  const isLoaded = main && !main.querySelector('[aria-busy="true"], .conversation:not([data-complete])');
  const scroller = document.querySelector('.scroller');
  const layout = isLoaded ? [location.hash, main.querySelectorAll('*').length, main.scrollHeight, scroller?.scrollTop].join() : undefined;
  globalThis.__stillFrames = layout !== undefined && layout === globalThis.__layout ? globalThis.__stillFrames + 1 : 0;
  globalThis.__layout = layout;
  return globalThis.__stillFrames >= frames;
}, 10, { polling: 'raf' });

export const bubbles = (page) => page.locator('.bubble').evaluateAll((found) => found.map((bubble) => ({
  role: bubble.dataset.role, turn: bubble.dataset.turnId, timestamp: bubble.dataset.timestamp,
  text: (bubble.querySelector('.bubble-text') ?? bubble.querySelector('.markdown')).textContent.trim(),
})));
