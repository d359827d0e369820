// The hostile texts of the unit tests.

import path from 'node:path';
import { installed } from '../../support/chromium.mjs';
import { ROOT } from '../../support/server.mjs';

export async function corpus() {
  const entryPoints = [path.join(ROOT, 'web/dashboard/src/text/corpus.testing.ts')];
  const { outputFiles } = await installed('esbuild').build({ entryPoints, format: 'esm', write: false });
  const { kHostile } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
  return kHostile;
}
