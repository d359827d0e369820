// A server, a proxy before it and a browser, for one file of tests. ORIEL_PAGE_FILES=build/web shows the page that
// `web/build.mjs` has just made in place of the one that is in the program: to try it without compiling.

import { after, afterEach, before } from 'node:test';
import { Browser } from './browser.mjs';
import { Proxy } from './proxy.mjs';
import { Server } from './server.mjs';

// `prepare`: what is to happen before the first test.
export function house(flags = [], options = {}) {
  const home = { server: new Server(flags, options), browser: new Browser(), proxy: undefined };
  before(async () => {
    await home.server.start();
    home.proxy = await new Proxy({ upstream: home.server.port, files: process.env.ORIEL_PAGE_FILES }).start();
    await home.browser.start();
    await options.prepare?.(home);
  });
  afterEach(() => home.browser.calm());
  after(async () => {
    await home.browser.stop();
    await home.proxy.stop();
    await home.server.stop();
  });
  home.at = (hash = '#/') => `${home.proxy.url}/${hash}`;
  home.open = (hash, options) => home.browser.page(home.at(hash), options);
  return home;
}

// Counts, from now on, the bubbles of a person that have this text, at each change of the document.
export async function countAlways(page, text) {
  await page.evaluate((wanted) => {
    globalThis.__counts = [];
    const look = () => {
      const found = [...document.querySelectorAll('.bubble[data-role="user"] .said-text')].filter((said) => said.textContent === wanted).length;
      if (found !== globalThis.__counts.at(-1)) globalThis.__counts.push(found);
    };
    look();
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
  }, text);
  return () => page.evaluate(() => globalThis.__counts);
}

export const bubbles = (page) => page.locator('.bubble').evaluateAll((found) => found.map((bubble) => ({
  role: bubble.dataset.role, turn: bubble.dataset.turnId, timestamp: bubble.dataset.timestamp,
  text: (bubble.querySelector('.said-text') ?? bubble.querySelector('.markdown')).textContent.trim(),
})));
