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
  const texts = ['preact', '@preact/signals'].map((name) => ({ name, text: fs.readFileSync(path.join(out, 'node_modules', name, 'LICENSE'), 'utf8').trim() }));
  const isNotice = (line) => line.startsWith('Copyright');
  const termsOf = (text) => text.split('\n').filter((line) => !isNotice(line)).join('\n').replace(/\n{2,}/g, '\n');
  const notices = texts.map(({ name, text }) => `${name}: ${text.split('\n').filter(isNotice).join(' ')}`);
  const terms = new Set(texts.map(({ text }) => termsOf(text))); // once if they are the same
  return `/*\n${[...notices, ...terms].join('\n')}\n*/`;
}

// Replaces the tokens that are the same in light and dark, as sizes are, by their values if these are shorter.
function inlineTokens(file) {
  const tokens = fs.readFileSync(path.join(DASHBOARD, 'src/style/tokens.css'), 'utf8');
  const [light, dark] = tokens.split('@media').map((text) => new Map([...text.matchAll(/(--[\w-]+): ([^;]+);/g)].map(([, name, value]) => [name, value])));
  const fixed = new Map([...light].filter(([name, value]) => !dark.has(name) && value.length <= `var(${name})`.length));
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
