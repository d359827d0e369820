import assert from "node:assert/strict";
import { test } from "node:test";
import { matching, type Entry } from "./palette";

const entry = (group: Entry["group"], title: string, detail = ""): Entry => ({ key: title, group, title, detail, run: () => {} });
const kEntries = [entry("Session", "Fix the parser", "shop demo working"), entry("Session", "Release notes", "docs demo idle"), entry("View", "Needs you"), entry("View", "Events")];
const found = (text: string): string[] => matching(kEntries, text).map(({ title }) => title);

test("R_PAGE_2 the palette finds entries by all words, in any part of them", () => {
  assert.deepEqual(found(""), ["Fix the parser", "Release notes", "Needs you", "Events"]);
  assert.deepEqual(found("PARSER shop"), ["Fix the parser"]);
  assert.deepEqual(found("demo"), ["Fix the parser", "Release notes"]);
  assert.deepEqual(found("e"), ["Events", "Fix the parser", "Release notes", "Needs you"]);
  assert.deepEqual(found("nothing such"), []);
  assert.equal(matching(Array.from({ length: 50 }, (_, i) => entry("Session", `s${i}`)), "").length, 12);
});
