// The hostile texts that the unit tests use, too.

import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from './server.mjs';

export async function corpus() {
  const esbuild = createRequire(path.join(ROOT, 'build/web/package.json'))('esbuild');
  const { outputFiles } = await esbuild.build({ entryPoints: [path.join(ROOT, 'web/dashboard/src/text/corpus.testing.ts')], format: 'esm', write: false });
  const { kHostile } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
  return kHostile;
}
