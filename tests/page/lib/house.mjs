// A server, a proxy before it and a browser, for one file of tests.

import path from 'node:path';
import { after, afterEach, before } from 'node:test';
import { Browser } from './browser.mjs';
import { Proxy } from './proxy.mjs';
import { ROOT, Server } from './server.mjs';

// `prepare`: what is to happen before the first test.
export function house(flags = [], options = {}) {
  const home = { server: new Server(flags, options), browser: new Browser(), proxy: undefined };
  before(async () => {
    await home.server.start();
    const served = await fetch(`${home.server.url}/app.js`);
    const files = served.ok ? undefined : path.join(ROOT, 'build/web'); // a server without the page: from the build
    home.proxy = await new Proxy({ upstream: home.server.port, files }).start();
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

export const bubbles = (page) => page.locator('.bubble').evaluateAll((found) => found.map((bubble) => ({
  role: bubble.dataset.role, turn: bubble.dataset.turnId, timestamp: bubble.dataset.timestamp,
  text: (bubble.querySelector('.said-text') ?? bubble.querySelector('.markdown')).textContent.trim(),
})));
