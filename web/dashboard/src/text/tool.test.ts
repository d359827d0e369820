import assert from "node:assert/strict";
import { test } from "node:test";
import { changeOf, gistOf, kindOfTool } from "./tool";

test("R_PAGE_2 a tool has the kind that its name and arguments say", () => {
  const kinds = [
    ["Bash", { command: "ls" }, "shell"], ["shell", { command: ["ls", "-l"] }, "shell"], ["execute_command", {}, "shell"], ["mcp__x__thing", { cmd: "ls" }, "shell"],
    ["Edit", {}, "edit"], ["str_replace_editor", {}, "edit"], ["write_file", {}, "edit"], ["apply_patch", {}, "edit"],
    ["Read", {}, "read"], ["read_file", {}, "read"], ["Grep", {}, "search"], ["list_files", {}, "search"], ["WebFetch", {}, "web"], ["TodoWrite", {}, "plan"],
    ["AskUserQuestion", {}, "ask"], ["Task", {}, "agent"], ["mystery", undefined, "other"],
  ] as const;
  for (const [name, args, kind] of kinds) assert.equal(kindOfTool(name, args), kind, name);
});

test("R_PAGE_2 the gist of a tool is one line, and a command begins with $", () => {
  assert.equal(gistOf("shell", { command: "make\n  test" }, ""), "$ make test");
  assert.equal(gistOf("read", { file_path: "/w/a.ts", limit: 3 }, ""), "/w/a.ts");
  assert.equal(gistOf("read", { file_path: "/w/src/a.ts" }, "", "/w"), "src/a.ts");
  assert.equal(gistOf("read", { file_path: "/workspace/a.ts" }, "", "/w"), "/workspace/a.ts");
  assert.equal(gistOf("search", { path: "src", pattern: "parse" }, ""), "parse");
  assert.equal(gistOf("other", undefined, "null"), "");
  assert.equal(gistOf("other", { files: 6, deep: true }, '{"files":6,"deep":true}'), "files 6, deep true");
  assert.equal(gistOf("shell", { command: "rm \u202e\u001b[8m/" }, ""), "$ rm \u27e8U+202E\u27e9\u241b[8m/");
  assert.ok(gistOf("shell", { command: "x".repeat(1_000_000) }, "").length < 250);
});

test("R_PAGE_2 an edit says how many lines it adds and removes", () => {
  assert.deepEqual(changeOf([{ path: "a", before: "one\ntwo\nthree\n", after: "one\n2\nthree\nfour\n" }, { path: "b", before: "", after: "x\n" }]), { added: 3, removed: 1 });
});
