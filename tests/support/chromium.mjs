// Debian's Chromium, driven by playwright-core from build/web.

import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from './server.mjs';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];

export const installed = createRequire(path.join(ROOT, 'build/web/package.json'));

export function launchChromium() {
  const { chromium } = installed('playwright-core');
  return chromium.launch({ executablePath: process.env.ORIEL_CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
}
