import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const folder = new URL("../../../../../../web/dashboard/src/style/", import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, folder), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
const files = readdirSync(folder).filter((file) => file.endsWith(".css") && file !== "tokens.css");
const defined = new Set([...read("tokens.css").matchAll(/(--[\w-]+):/g)].map(([, name]) => name!));

const kRaw = [
  /#[0-9a-f]{3,8}\b/i, /\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(/i, // color-mix() mixes tokens
  /\b(?:white|black|red|green|blue|yellow|orange|purple|pink|brown|gr[ae]y)\b/i,
  /(?<![\w-])-?(?:\d*\.)?\d+(?:px|pt|pc|em|rem|ch|ex|cm|mm|in|q|lh|rlh)\b/i,
];

interface Declaration {
  file: string;
  property: string;
  value: string;
}

// Those of media queries have no braces around them, and may name a width: no token works there.
function declarationsOf(file: string): Declaration[] {
  return [...read(file).matchAll(/[{;]\s*([\w-]+)\s*:\s*([^;{}]+)(?=[;}])/g)].map(([, property, value]) => ({ file, property: property!, value: value! }));
}

test("R_PAGE_2 style sheets use only the colours and sizes of tokens.css", () => {
  assert.ok(files.length >= 4, `${files}`);
  const all = files.flatMap(declarationsOf);
  assert.ok(all.length > 500, `${all.length} declarations`);
  const raw = all.filter(({ value }) => kRaw.some((pattern) => pattern.test(value)));
  assert.deepEqual(raw.map(({ file, property, value }) => `${file}: ${property}: ${value}`), []);
  const sized = all.filter(({ property, value }) => /^(?:font-size|font-weight|border(?:-\w+)*-radius)$/.test(property) && !/var\(|^(?:0|50%|inherit)$/.test(value));
  assert.deepEqual(sized.map(({ file, property, value }) => `${file}: ${property}: ${value}`), []);
});

test("R_PAGE_2 style sheets use only tokens that exist, and each token is used", () => {
  const used = new Set([...files, "tokens.css"].flatMap((file) => [...read(file).matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name!)));
  assert.deepEqual([...used].filter((name) => !defined.has(name)), []);
  assert.deepEqual([...defined].filter((name) => !used.has(name)), []);
});
