import assert from 'node:assert/strict';
import fs from 'node:fs';
import { it } from 'node:test';
import { gzipSync } from 'node:zlib';

const LIMIT = 6 * 1024;

it('R-PAGE-1: the module is at most 6 KB gzipped and imports nothing', (test) => {
  const module = fs.readFileSync(new URL('../../build/web/oriel.js', import.meta.url));
  const size = gzipSync(module, { level: 9 }).length;
  test.diagnostic(`${size} bytes of ${LIMIT}`);
  assert.ok(size <= LIMIT);
  assert.doesNotMatch(module.toString(), /(?<!api\/)\bimport\b/);
});
