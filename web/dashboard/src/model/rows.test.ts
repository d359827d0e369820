import assert from "node:assert/strict";
import { test } from "node:test";
import type { MessageItem } from "./items";
import { rowsOf } from "./rows";

const message = (text: string, role: MessageItem["role"] = "agent"): MessageItem => ({
  kind: "message", key: "a/1", position: { time: 0, ordinal: 0 }, version: 0, index: 0, role, text, turnId: "", timestamp: "", endedAt: 0, intent: "", source: "",
  files: [], isStreaming: false, isQueued: false,
});
const partsOf = (item: MessageItem): string[] => rowsOf([item]).map((row) => ("part" in row ? row.part.text : item.text));
const paragraphs = (n: number): string => Array.from({ length: n }, (_, i) => `Paragraph ${i} of the answer.\nIts second line.\n\n`).join("");

test("R_PAGE_2 a short message is one row, and a long one a row for each part, with a key each", () => {
  const short = [message("short")];
  assert.equal(rowsOf(short), short);
  const rows = rowsOf([message(paragraphs(1000))]);
  assert.ok(rows.length >= 5, `${rows.length} rows`);
  assert.equal(rows[0]!.key, "a/1");
  assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length);
});

test("R_PAGE_2 the parts are the whole message, and end between paragraphs", () => {
  const text = paragraphs(1000);
  const parts = partsOf(message(text));
  assert.equal(parts.join("\n"), text);
  for (const part of parts.slice(0, -1)) assert.match(part, /^Paragraph[^]*second line\.\n$/);
});

test("R_PAGE_2 a growing message keeps its ended parts, however it arrives", () => {
  const text = `${paragraphs(300)}\`\`\`ts\n${"const x = 1;\n".repeat(2000)}\`\`\`\n${paragraphs(300)}`;
  const item = message("");
  let before: string[] = [];
  for (let end = 0; end < text.length + 700; end += 700) {
    item.text = text.slice(0, end);
    const parts = partsOf(item);
    assert.deepEqual(parts.slice(0, before.length - 1), before.slice(0, -1));
    before = parts;
  }
  assert.deepEqual(before, partsOf(message(text)));
  item.text = paragraphs(400); // replaced
  assert.deepEqual(partsOf(item), partsOf(message(paragraphs(400))));
});

test("R_PAGE_2 a code block that goes on in the next part is opened again", () => {
  const code = Array.from({ length: 3000 }, (_, i) => `line ${i}`).join("\n");
  const parts = partsOf(message(`Look:\n\n\`\`\`js\n${code}\n\`\`\`\nThat is all.`));
  assert.ok(parts.length > 2);
  for (const part of parts.slice(1)) assert.ok(part.startsWith("```js\nline "), part.slice(0, 20));
  assert.equal(parts.map((part, i) => (i === 0 ? part : part.slice("```js\n".length))).join("\n"), `Look:\n\n\`\`\`js\n${code}\n\`\`\`\nThat is all.`);
});

test("R_PAGE_2 what a user wrote is text: its parts open no code block", () => {
  const text = `\`\`\`\n${"word ".repeat(10_000)}`;
  assert.equal(partsOf(message(text, "user")).join(""), text);
});

test("R_PAGE_2 a line without an end is split between characters", () => {
  const text = `x${"\u{1f600}".repeat(20_000)}`;
  const parts = partsOf(message(text));
  assert.equal(parts.join(""), text);
  for (const part of parts) assert.doesNotMatch(part, /^[\udc00-\udfff]/);
});
