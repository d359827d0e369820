import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAnsi, type AnsiSpan } from "./ansi";
import { kHostile } from "./corpus.testing";

const textOf = (spans: readonly AnsiSpan[]): string => spans.map(({ text }) => text).join("");
const marks = (source: string): string[] => parseAnsi(source).map(({ text, colour, ground, isBold, isDim, isItalic, isUnderlined }) =>
  [text, colour, ground && `on ${ground}`, isBold && "bold", isDim && "dim", isItalic && "italic", isUnderlined && "underlined"].filter(Boolean).join(" "));

test("R_PAGE_2 colours, bold, italic and underline of a terminal are kept", () => {
  assert.deepEqual(marks("plain \u001b[1;31mred\u001b[22m thin\u001b[0m \u001b[3;4;92mok\u001b[m."), ["plain ", "red red bold", " thin red", " ", "ok green italic underlined", "."]);
  assert.deepEqual(marks("\u001b[38;5;196ma\u001b[38;2;20;40;250mb\u001b[38;5;240mc\u001b[48;5;46md"), ["a red", "b blue", "c grey", "d on green"]);
  assert.deepEqual(marks("\u001b[38:2:255:200:0mx\u001b[39my"), ["x yellow", "y"]);
});

test("R_PAGE_2 no text is hidden by its colours or concealed", () => {
  assert.deepEqual(marks("\u001b[31;41msame\u001b[0m\u001b[8mconcealed\u001b[28m\u001b[0m\u001b[32;7mturned"), ["same on red", "concealed", "turned on green"]);
});

test("R_PAGE_2 every other control sequence is removed", () => {
  assert.equal(textOf(parseAnsi("a\u001b[2J\u001b[1;1Hb\u001b[?25lc\u001b]0;title\u0007d\u001b]8;;http://evil/\u001b\\link\u001b]8;;\u001b\\e\u001bP1$r\u001b\\f\u001b(Bg\u001b7h\u009b31mi")), "abcdlinkefghi");
  assert.equal(textOf(parseAnsi("10%\r50%\r100%\r\ndone\n")), "10%\n50%\n100%\ndone\n");
});

test("R_PAGE_2 what is no whole sequence is shown with symbols", () => {
  assert.equal(textOf(parseAnsi("a\u001b")), "a\u241b");
  assert.equal(textOf(parseAnsi("\u001b[31")), "\u241b[31");
  assert.equal(textOf(parseAnsi("\u001b]0;never ends\nrm -rf /")), "\u241b]0;never ends\nrm -rf /");
  assert.equal(textOf(parseAnsi(`\u001b]0;${"x".repeat(3000)}\u0007`)).length, 3005);
  assert.equal(textOf(parseAnsi("\u202e\u0000\u200b")), "\u27e8U+202E\u27e9\u2400\u27e8U+200B\u27e9");
});

for (const { name, text } of [...kHostile, { name: "many colours", text: "\u001b[31mx\u001b[32my".repeat(20_000) }, { name: "many escapes", text: "\u001b]".repeat(50_000) }]) {
  test(`R_PAGE_2 hostile output is parsed quickly and has no raw escape: ${name}`, () => {
    const start = performance.now();
    const spans = parseAnsi(text);
    assert.doesNotMatch(textOf(spans), /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    assert.ok(spans.length <= 4001, `${spans.length} spans`);
    assert.ok(performance.now() - start < 1500, `${performance.now() - start} ms`);
  });
}
