// Builds the shipped files in build/web: oriel.js and oriel.d.ts, the npm package in build/web/npm, and the page.
//   node web/build.mjs          builds once
//   node web/build.mjs --tests  also builds the unit tests in build/web/tests

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDashboard } from './dashboard/build.mjs';

const WEB = path.dirname(fileURLToPath(import.meta.url));
const OUT = path.join(WEB, '../build/web');
const CLIENT = path.join(WEB, 'client');
const installed = createRequire(path.join(OUT, 'package.json'));
const esbuild = installed('esbuild');

const common = { bundle: true, format: 'esm', target: 'es2022', logLevel: 'warning' };

async function buildClient() {
  await esbuild.build({ ...common, entryPoints: [path.join(CLIENT, 'src/index.ts')], outfile: path.join(OUT, 'oriel.js'), minify: true });
  fs.writeFileSync(path.join(OUT, 'oriel.d.ts'), declareClient());
}

// Joins the declarations of the public files.
function declareClient() {
  const emitted = path.join(OUT, 'types');
  fs.rmSync(emitted, { recursive: true, force: true });
  const tsc = path.join(OUT, 'node_modules/typescript/bin/tsc');
  const flags = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rootDir', path.join(CLIENT, 'src'), '--outDir', emitted];
  execFileSync(process.execPath, [tsc, '-p', path.join(CLIENT, 'tsconfig.json'), ...flags], { stdio: 'inherit' });
  const isPrivate = /^(import .*|export \{\};)$/gm;
  return ['types', 'error', 'api_types', 'api', 'open_stream']
    .map((file) => fs.readFileSync(path.join(emitted, `${file}.d.ts`), 'utf8').replace(isPrivate, '').trim())
    .join('\n');
}

function packClient() {
  const to = path.join(OUT, 'npm');
  fs.mkdirSync(path.join(to, 'dist'), { recursive: true });
  fs.copyFileSync(path.join(WEB, '../LICENSE'), path.join(to, 'LICENSE'));
  for (const file of ['package.json', 'README.md']) fs.copyFileSync(path.join(CLIENT, file), path.join(to, file));
  for (const file of ['oriel.js', 'oriel.d.ts']) fs.copyFileSync(path.join(OUT, file), path.join(to, 'dist', file));
}

async function buildTests() {
  const outdir = path.join(OUT, 'tests');
  fs.rmSync(outdir, { recursive: true, force: true });
  const entryPoints = [path.join(WEB, '*/src/**/*.test.ts')];
  await esbuild.build({ ...common, entryPoints, outdir, outbase: WEB, platform: 'node', sourcemap: 'inline', outExtension: { '.js': '.mjs' },
    nodePaths: [path.join(OUT, 'node_modules')] });
}

await buildClient();
packClient();
await buildDashboard(esbuild, common, OUT);
if (process.argv.includes('--tests')) await buildTests();
