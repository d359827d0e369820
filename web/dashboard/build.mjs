// Builds the page: index.html, favicon.svg, app.js and app.css. The client module is not bundled: the page imports /oriel.js.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const DASHBOARD = path.dirname(fileURLToPath(import.meta.url));

const client = {
  name: 'client',
  setup: (build) => build.onResolve({ filter: /^@oriel\/client$/ }, () => ({ path: './oriel.js', external: true })),
};

// The licenses of bundled packages, as a banner.
function licenses(out) {
  const texts = ['preact', '@preact/signals'].map((name) => `${name}\n${fs.readFileSync(path.join(out, 'node_modules', name, 'LICENSE'), 'utf8').trim()}`);
  return `/*\n${texts.join('\n\n')}\n*/`;
}

// Replaces the tokens that are the same in light and dark, as sizes are, by their values: a third of the style sheet is their names.
function inlineTokens(file) {
  const tokens = fs.readFileSync(path.join(DASHBOARD, 'src/style/tokens.css'), 'utf8');
  const [light, dark] = tokens.split('@media').map((text) => new Map([...text.matchAll(/(--[\w-]+): ([^;]+);/g)].map(([, name, value]) => [name, value])));
  const fixed = new Map([...light].filter(([name]) => !dark.has(name)));
  const css = fs.readFileSync(file, 'utf8').replace(/var\((--[\w-]+)\)/g, (use, name) => fixed.get(name) ?? use);
  fs.writeFileSync(file, css.replace(/(--[\w-]+):[^;{}]+;?/g, (declaration, name) => (fixed.has(name) ? '' : declaration)));
}

export async function buildDashboard(esbuild, common, out) {
  await esbuild.build({
    ...common,
    entryPoints: { app: path.join(DASHBOARD, 'src/main.tsx') },
    outdir: out,
    minify: true,
    legalComments: 'none',
    banner: { js: licenses(out) },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    nodePaths: [path.join(out, 'node_modules')],
    plugins: [client],
  });
  await esbuild.build({ ...common, entryPoints: { app: path.join(DASHBOARD, 'src/style/app.css') }, outdir: out, minify: true, target: 'chrome120' });
  inlineTokens(path.join(out, 'app.css'));
  for (const file of ['index.html', 'favicon.svg']) fs.copyFileSync(path.join(DASHBOARD, file), path.join(out, file));
}
