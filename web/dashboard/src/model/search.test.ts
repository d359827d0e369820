import assert from "node:assert/strict";
import { test } from "node:test";
import type { SearchResult } from "@oriel/client";
import { piecesOf, queryOf, readSearch, sourceOf, writeSearch } from "./search";

const kNow = Date.parse("2026-11-19T21:00:00Z");
const searched = (address: string) => queryOf(readSearch(new URLSearchParams(address)), kNow);

test("R_SEARCH_7 filters are part of the address", () => {
  const address = "q=exit+code&type=error&project=shop&agent=demo&days=7";
  assert.equal(writeSearch(readSearch(new URLSearchParams(address))).toString(), address);
  assert.deepEqual(searched(address), {
    q: "exit code*", limit: 30, types: ["error"], project_id: "shop", agent: "demo", since: "2026-11-12T21:00:00.000Z",
  });
  assert.equal(readSearch(new URLSearchParams("days=-1")).days, 0);
  assert.equal(readSearch(new URLSearchParams("days=1e99")).days, 0);
});

test("R_SEARCH_7 the last word may be incomplete, unless it is ended, quoted or short", () => {
  assert.equal(searched("q=over")?.q, "over*");
  assert.equal(searched("q=over+")?.q, "over ");
  assert.equal(searched("q=over*")?.q, "over*");
  assert.equal(searched("q=a")?.q, "a");
  assert.equal(searched('q="exit co')?.q, '"exit co');
  assert.equal(searched('q="exit code"+np')?.q, '"exit code" np*');
  assert.equal(searched("q=src/a")?.q, "src/a");
  assert.equal(searched("q="), undefined);
  assert.equal(searched("q=***"), undefined);
});

test("R_SEARCH_3 a snippet is cut into pieces by code points", () => {
  assert.deepEqual(piecesOf({ snippet: "\u{1f389} fix it", ranges: [[2, 5], [6, 8]] }), [
    { text: "\u{1f389} ", isFound: false }, { text: "fix", isFound: true }, { text: " ", isFound: false }, { text: "it", isFound: true },
  ]);
  assert.deepEqual(piecesOf({ snippet: "abc", ranges: [] }), [{ text: "abc", isFound: false }]);
  assert.deepEqual(piecesOf({ snippet: "abc", ranges: [[0, 2], [1, 3], [5, 9], [2, 2]] }), [{ text: "ab", isFound: true }, { text: "c", isFound: false }]);
});

test("R_SEARCH_7 a result names its source", () => {
  const of = (result: Partial<SearchResult>) => sourceOf(result as SearchResult);
  assert.equal(of({ type: "message", role: "user" }), "user");
  assert.equal(of({ type: "tool_call", tool_name: "Bash" }), "Bash");
  assert.equal(of({ type: "tool_result", tool_name: "Bash" }), "Bash result");
  assert.equal(of({ type: "tool_result" }), "result");
  assert.equal(of({ type: "title" }), "title");
});
