import assert from "node:assert/strict";
import { test } from "node:test";
import { summaryOf, parseArguments } from "./arguments";
import { kHostile } from "./corpus.testing";
import { diffOf, editsOf, folded } from "./diff";
import { ago, count, duration, money } from "./format";
import { highlight } from "./highlight";
import { parseMarkdown, safeUrl, type Block, type Inline } from "./markdown";
import { truncate, visible, visibleLine } from "./visible";

function textOf(nodes: readonly (Inline | Block)[]): string {
  return nodes.map((node) => {
    if (typeof node === "string") return node;
    if ("text" in node) return node.text;
    if (node.kind === "list") return node.items.map(textOf).join(" ");
    if (node.kind === "table") return [node.head, ...node.rows].flat().map(textOf).join(" ");
    return "children" in node ? textOf(node.children as (Inline | Block)[]) : "";
  }).join("");
}

function linksOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(linksOf);
  if (value === null || typeof value !== "object") return [];
  const here = "href" in value ? [String(value.href)] : [];
  return [...here, ...Object.values(value).flatMap(linksOf)];
}

for (const { name, text } of kHostile) {
  test(`R_PAGE_2 hostile text stays text and is parsed quickly: ${name}`, () => {
    const start = performance.now();
    const seen = visible(text);
    assert.doesNotMatch(seen, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u061c\ufeff]/);
    assert.doesNotMatch(seen, /\p{Surrogate}/u);
    for (const link of linksOf(parseMarkdown(seen))) assert.match(link, /^(https?:\/\/(?!.*@)|mailto:)/);
    for (const token of highlight(seen.slice(0, 100_000), "ts")) assert.equal(typeof token.text, "string");
    assert.ok(performance.now() - start < 1500, `${performance.now() - start} ms`);
  });
}

test("R_PAGE_2 invisible characters are shown as symbols", () => {
  assert.equal(visible("a\u001b[2Jb"), "a\u241b[2Jb");
  assert.equal(visible("rm\u202e x"), "rm\u27e8U+202E\u27e9 x");
  assert.equal(visible("\ud83d!"), "\ufffd!");
  assert.equal(visible("fam\u{1f468}\u200d\u{1f469}"), "fam\u{1f468}\u200d\u{1f469}");
  assert.equal(visibleLine("a\n\n b", 10), "a b");
  assert.equal(visibleLine("abcdefghijkl", 5), "abcd\u2026");
});

test("R_PAGE_2 a long text is truncated between characters", () => {
  const { shown, hidden } = truncate("x".repeat(9) + "\u{1f600}" + "y".repeat(90), 10);
  assert.equal(shown, "x".repeat(9));
  assert.equal(hidden, 92);
});

test("R_PAGE_2 Markdown has headings, lists, code, tables, quotes, emphasis and links", () => {
  const blocks = parseMarkdown("# One *two*\n\ntext **bold** `co*de*` [l](https://a.b/c)\n\n- a\n  - b\n- c\n\n1. x\n2. y\n\n```cpp\nint x;\n```\n\n> q\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---");
  assert.deepEqual(blocks.map((block) => block.kind), ["heading", "paragraph", "list", "list", "code", "quote", "table", "rule"]);
  assert.deepEqual(blocks[1], {
    kind: "paragraph",
    children: ["text ", { kind: "strong", children: ["bold"] }, " ", { kind: "code", text: "co*de*" }, " ", { kind: "link", href: "https://a.b/c", children: ["l"] }],
  });
  assert.equal(blocks[2]!.kind === "list" && blocks[2]!.items.length, 2);
  assert.equal(textOf(blocks.slice(0, 1)), "One two");
});

test("R_PAGE_2 unfinished Markdown shows its text", () => {
  assert.deepEqual(parseMarkdown("```ts\nconst a = 1;"), [{ kind: "code", language: "ts", text: "const a = 1;" }]);
  assert.equal(textOf(parseMarkdown("some **bo")), "some **bo");
  assert.equal(textOf(parseMarkdown("snake_case_name and 2 * 3 * 4")), "snake_case_name and 2 * 3 * 4");
});

test("R_PAGE_2 only URLs that run no code become links", () => {
  assert.equal(safeUrl("javascript:alert(1)"), undefined);
  assert.equal(safeUrl("JaVaScRiPt:alert(1)"), undefined);
  assert.equal(safeUrl("https://user:pass@evil.example"), undefined);
  assert.equal(safeUrl("https://a.example/x?y"), "https://a.example/x?y");
});

test("R_PAGE_2 highlighting changes no character", () => {
  const code = "// c\nint main() { return f(0x1F, \"s\\\"t\"); } /* d */ # x\n'unfinished";
  for (const language of ["cpp", "py", "sql", "html", "diff", ""]) {
    assert.equal(highlight(code, language).map((token) => token.text).join(""), code, language);
  }
  assert.deepEqual(highlight("return 1", "c").map((token) => token.kind), ["keyword", "", "number"]);
});

test("R_PAGE_2 an edit shows as a diff", () => {
  assert.deepEqual(diffOf("a\nb\nc", "a\nB\nc").map((line) => `${line.kind} ${line.text}`), ["same a", "removed b", "added B", "same c"]);
  assert.deepEqual(diffOf("", "x\ny\n").map((line) => line.kind), ["added", "added"]);
  assert.deepEqual(folded(diffOf(Array(20).fill("s").join("\n"), Array(20).fill("s").join("\n") + "\nnew")).map((line) => line.kind),
    ["skipped", "same", "same", "same", "added"]);
  assert.deepEqual(editsOf({ file_path: "a.c", old_string: "x", new_string: "y" }, "Edit"), [{ path: "a.c", before: "x", after: "y" }]);
  assert.deepEqual(editsOf({ path: "n.txt", content: "hi" }, "write_file"), [{ path: "n.txt", before: "", after: "hi" }]);
  assert.deepEqual(editsOf({ path: "n.txt" }, "read_file"), []);
});

test("R_PAGE_2 the summary of a tool's arguments", () => {
  assert.equal(summaryOf(parseArguments('{"command":"ls -l","timeout":3}'), ""), "ls -l");
  assert.equal(summaryOf(parseArguments("{broken"), "{broken"), "{broken");
  assert.equal(summaryOf(parseArguments('{"command":["git","diff"]}'), ""), "git diff");
});

test("R_PAGE_2 numbers and times for display", () => {
  assert.deepEqual([950, 1500, 61_000, 3_600_000].map(duration), ["950 ms", "1.5 s", "1 min 1 s", "1 h 0 min"]);
  assert.deepEqual([999, 1500, 12_345, 2_500_000].map(count), ["999", "1.5k", "12k", "2.5M"]);
  assert.deepEqual([0, 0.001, 1.5].map(money), ["$0", "<$0.01", "$1.50"]);
  const kMinute = 60_000;
  const ages = [1000, 12_000, 5.5 * kMinute, 59.9 * kMinute, 39.5 * 60 * kMinute, 3 * 24 * 60 * kMinute, 5 * 60 * kMinute].map(ago);
  assert.deepEqual(ages, ["now", "12 s ago", "5 min ago", "59 min ago", "yesterday", "3 days ago", "5 h ago"]);
});
