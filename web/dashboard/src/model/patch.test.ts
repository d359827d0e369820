import assert from "node:assert/strict";
import { test } from "node:test";
import { patchRows, reviewMessage, splitRows } from "./patch";

const kPatch = `diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,4 @@ function
 same
-old
+new
+++ more
 last
\\ No newline at end of file
`;

test("patchRows: lines have their numbers, and a line that looks like a header is a line", () => {
  assert.deepEqual(patchRows(kPatch), [
    { kind: "hunk", text: "@@ -1,3 +1,4 @@ function" },
    { kind: "same", text: "same", before: 1, after: 1 },
    { kind: "removed", text: "old", before: 2 },
    { kind: "added", text: "new", after: 2 },
    { kind: "added", text: "++ more", after: 3 },
    { kind: "same", text: "last", before: 3, after: 4 },
    { kind: "note", text: "\\ No newline at end of file" },
  ]);
  assert.deepEqual(patchRows(""), []);
});

test("patchRows: the edits of an agent have no line numbers", () => {
  assert.deepEqual(patchRows("--- a/x\n+++ b/x\n@@ edit 1 of 1 @@\n+y\n"), [
    { kind: "hunk", text: "@@ edit 1 of 1 @@" }, { kind: "added", text: "y", after: undefined },
  ]);
});

test("splitRows: a removed line stands beside the line that replaces it", () => {
  const rows = splitRows(patchRows(kPatch)).map(({ left, right, whole }) => [left?.text ?? "", right?.text ?? "", whole?.kind ?? ""]);
  assert.deepEqual(rows, [["", "", "hunk"], ["same", "same", ""], ["old", "new", ""], ["", "++ more", ""], ["last", "last", ""], ["", "", "note"]]);
});

test("reviewMessage: all comments are one message with their places", () => {
  const text = reviewMessage([
    { key: "1", path: "a.ts", line: "2", quote: "+new", text: " Why? " }, { key: "2", path: "b.ts", line: "-7", quote: "-gone", text: "Keep it." },
  ]);
  assert.equal(text, "Review of your changes: 2 comments.\n\na.ts:2\n> +new\nWhy?\n\nb.ts, removed line 7\n> -gone\nKeep it.");
});
