import assert from "node:assert/strict";
import { test } from "node:test";
import type { Permission, PermissionOption } from "@oriel/client";
import { approvalOf, approvalSummary, rowText, scopeLines } from "./approval";
import { kHostile } from "./corpus.testing";
import { exact } from "./exact";

const shown = (input: unknown, details: unknown = undefined, title = "Do it"): string[] => approvalOf({ title, input, details }).rows.map(rowText);

test("R_TRUTH_1 every value is a field named by its path", () => {
  assert.deepEqual(
    shown({ command: "ls -l", timeout: 1.5, env: { A: null }, flags: [true, "x"] }, { kind: "execute" }),
    ["input.command: ls -l", "input.timeout: 1.5", "input.env.A: null", "input.flags[0]: true", "input.flags[1]: x", "details.kind: execute"],
  );
  assert.deepEqual(shown({ a: "", b: {}, c: [] }), ['input.a: ""', "input.b: {}", "input.c: []"]);
  assert.deepEqual(shown({ "a.b": 1, "": 2, "x\u202ey": 3 }), ['input["a.b"]: 1', 'input[""]: 2', 'input["x\u27e8U+202E\u27e9y"]: 3']);
});

test("R_TRUTH_1 a text of several lines stands apart from the fields", () => {
  assert.deepEqual(shown({ command: "cd x\ninput.path: y\n\nrm z\n", path: "p" }),
    ["input.command:", "  \u2502 cd x", "  \u2502 input.path: y", "  \u2502 ", "  \u2502 rm z", "input.path: p"]);
});

test("R_TRUTH_1 an edit is a diff that leaves out no line", () => {
  const edit = { type: "diff", path: "/w/a", oldText: "a\nb\nc\n", newText: "a\nB\nc\n" };
  assert.deepEqual(shown(null, { content: [edit] }),
    ["details.content[0]: oldText \u2192 newText", "    a", "  - b", "  + B", "    c", "details.content[0].type: diff", "details.content[0].path: /w/a"]);
  assert.deepEqual(shown({ oldText: null, newText: "x" }), ["input: oldText (null) \u2192 newText", "  + x"]);
  assert.deepEqual(shown({ old_string: "a", new_string: "a\n" }), ["input: old_string \u2192 new_string", "  - a\u27e8no line break\u27e9", "  + a"]);
  const long = "line\n".repeat(20);
  assert.equal(shown({ old_string: long, new_string: long }).length, 21);
  assert.equal(shown({ old_string: long, new_string: `${long}new\n` }).length, 22);
});

test("R_TRUTH_1 no unchanged line of an edit is missing", () => {
  for (const [before, after] of [["oldText", "newText"], ["old_string", "new_string"], ["old_str", "new_str"], ["old_text", "new_text"]] as const) {
    for (const { name, text } of kHostile) {
      const old = `${"x\n".repeat(50)}${text}\n${"x\n".repeat(50)}`;
      const { rows } = approvalOf({ title: "x", input: { [before]: old, [after]: `${old}new\n` } });
      const seen = rows.filter((row) => row.kind === "same").map((row) => row.text.replace(/^\u21aa /, "")).join("");
      assert.equal(seen, old.split("\n").map(exact).join(""), `${name} ${before}`);
    }
  }
});

test("R_TRUTH_1 a title that is too long for a line is also a field, unless a field repeats it", () => {
  assert.deepEqual(approvalOf({ title: "Run a\nhidden", input: { command: "ls" } }), {
    title: "Run a\u2026",
    rows: [{ kind: "field", label: "title", text: "" }, { kind: "text", label: "", text: "Run a" }, { kind: "text", label: "", text: "hidden" },
      { kind: "field", label: "input.command", text: "ls" }],
  });
  assert.deepEqual(shown({ command: "set -e\nls" }, undefined, "Bash: set -e\nls"), ["input.command:", "  \u2502 set -e", "  \u2502 ls"]);
});

test("R_TRUTH_1 hidden characters are visible, at the borders of each range too", () => {
  assert.equal(exact("rm \u202e/\u2066 \u200b\t\r\n\u0000"), "rm \u27e8U+202E\u27e9/\u27e8U+2066\u27e9 \u27e8U+200B\u27e9\u21e5   \u27e8U+000D\u27e9\u27e8U+000A\u27e9\u27e8U+0000\u27e9");
  assert.equal(exact("\u1fff\u2000\u200f\u2010~\u00a0\u00a1"), "\u1fff\u27e8U+2000\u27e9\u27e8U+200F\u27e9\u2010~\u27e8U+00A0\u27e9\u00a1");
  assert.equal(exact("\u{e0041}\u{10fffd}\ue000 gr\u00fc\u00dfe \u4e16 \u{1f642}"), "\u27e8U+E0041\u27e9\u27e8U+10FFFD\u27e9\u27e8U+E000\u27e9 gr\u00fc\u00dfe \u4e16 \u{1f642}");
  assert.equal(exact("\ud83d"), "\u27e8U+D83D\u27e9");
});

test("R_TRUTH_1 no field of an invented request is missing", () => {
  let seed = 1;
  const next = (below: number): number => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
  const texts = ["", " ", "ls", "a: b", "\u202e", "null", "0"];
  const invent = (depth: number): unknown => {
    switch (next(depth > 6 ? 4 : 6)) {
      case 0: return texts[next(texts.length)];
      case 1: return next(1000) / 8;
      case 2: return null;
      case 3: return next(2) === 0;
      case 4: return Array.from({ length: next(4) }, () => invent(depth + 1));
      default: return Object.fromEntries(Array.from({ length: next(5) }, (_, i) => [`k${i}`, invent(depth + 1)]));
    }
  };
  const leaves = (path: string, value: unknown): string[] => {
    if (Array.isArray(value) && value.length > 0) return value.flatMap((each, i) => leaves(`${path}[${i}]`, each));
    if (value !== null && typeof value === "object" && Object.keys(value).length > 0) return Object.entries(value).flatMap(([key, each]) => leaves(`${path}.${key}`, each));
    return [`${path}: ${typeof value === "string" && value !== "" ? exact(value) : JSON.stringify(value)}`];
  };
  for (let i = 0; i < 500; ++i) {
    const [input, details] = [[invent(0)], [invent(0)]];
    assert.deepEqual(shown(input, details), [...leaves("input", input), ...leaves("details", details)]);
  }
});

test("R_TRUTH_1 long and hostile texts are shown to their last character", () => {
  for (const { name, text } of kHostile) {
    const rows = approvalOf({ title: "x", input: { text } }).rows;
    const seen = rows.map((row) => row.text.replace(/^\u21aa /, "")).join("");
    assert.equal(seen, text.split("\n").map(exact).join(""), name);
    assert.ok(rows.every((row) => [...row.text].length <= 162), name);
  }
  assert.equal(shown({ content: "line\n".repeat(10_000) }).length, 10_001);
});

test("R_TRUTH_1 an option that lasts says what it allows", () => {
  const option: PermissionOption = { option_id: "o", label: "Always", kind: "allow_always", scope: "Bash(ls *)\n\u202eb" };
  assert.deepEqual(scopeLines(option), ["Bash(ls *)", "\u27e8U+202E\u27e9b"]);
  assert.deepEqual(scopeLines({ ...option, scope: "" }), ['later requests, as the agent understands "Always"']);
  assert.deepEqual(scopeLines({ ...option, kind: "allow_once" }), []);
});

test("R_TRUTH_1 a notification has the title, the first field and how much more there is", () => {
  const summary = (input: unknown): string => approvalSummary({ title: "Run it", input } as Permission);
  assert.equal(summary(null), "Run it");
  assert.equal(summary({ command: "rm \u202e" }), "Run it\ninput.command: rm \u27e8U+202E\u27e9");
  assert.equal(summary({ command: "a\nb\nc" }), "Run it\ninput.command: \u2502 a\n2 more lines on the page");
});
