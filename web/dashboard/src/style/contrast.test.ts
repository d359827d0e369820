import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const css = readFileSync(new URL("../../../../../../web/dashboard/src/style/tokens.css", import.meta.url), "utf8");
const [light = "", dark = ""] = css.split("@media (prefers-color-scheme: dark)");

function tokensOf(text: string): Map<string, string> {
  return new Map([...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, colour]) => [name!, colour!]));
}

// Relative luminance of WCAG 2.
function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const share = parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}

const kTexts = ["text", "soft", "faint", "accent", "needs", "working", "good", "bad"];
const kPairs: [string, string][] = [
  ...kTexts.flatMap((text) => ["ground", "raised", "sunken"].map((ground): [string, string] => [text, ground])),
  ["needs", "needs-wash"], ["bad", "bad-wash"], ["good", "good-wash"], ["accent", "accent-wash"], ["soft", "accent-wash"], ["accent-text", "accent"],
  ...["comment", "string", "number", "keyword", "call"].map((kind): [string, string] => [`tok-${kind}`, "code"]),
  ...["text", "soft", "needs", "working", "good", "bad", "accent"].map((colour): [string, string] => [colour, "code"]), // of terminals
  ...["needs", "good", "bad", "accent"].map((wash): [string, string] => ["text", `${wash}-wash`]),
];

for (const [name, tokens] of [["light", tokensOf(light)], ["dark", tokensOf(dark)]] as const) {
  test(`R_PAGE_2 text has a contrast of at least 4.5:1 on every ground (${name})`, () => {
    const weak = kPairs.map(([text, ground]) => ({ text, ground, contrast: contrast(tokens.get(text)!, tokens.get(ground)!) })).filter((pair) => pair.contrast < 4.5);
    assert.deepEqual(weak, []);
  });
}
