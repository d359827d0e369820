// The output of a terminal as styled text. Colours, bold, italic and underline are kept, as names that the page gives its own
// colours; every other control sequence is removed. Text is never hidden: there is no concealed text, and on a coloured ground the
// text has the colour of text.
import { visible } from "./visible";

export type AnsiColour = "grey" | "red" | "green" | "yellow" | "blue" | "magenta" | "cyan" | "white";

export interface AnsiStyle {
  colour: AnsiColour | "";
  ground: AnsiColour | "";
  isBold: boolean;
  isDim: boolean;
  isItalic: boolean;
  isUnderlined: boolean;
}

export interface AnsiSpan extends AnsiStyle {
  text: string; // safe to show
}

const kPlain: AnsiStyle = { colour: "", ground: "", isBold: false, isDim: false, isItalic: false, isUnderlined: false };
const kColours: readonly AnsiColour[] = ["grey", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]; // as the standard numbers them
const kMaxSpans = 4000; // what follows is plain
const kMaxString = 2000; // characters of a title or link; a longer one is shown

// CSI, OSC, the other strings, a choice of character sets, and the single letters that terminals know.
const kSequences = new RegExp(
  "(?:\\u001b\\[|\\u009b)([0-?]{0,64})[ -/]{0,4}([@-~])" +
  `|(?:\\u001b\\]|\\u009d)[^\\u0007\\u001b\\u009c\\n]{0,${kMaxString}}(?:\\u0007|\\u001b\\\\|\\u009c)` +
  `|(?:\\u001b[PX^_]|[\\u0090\\u0098\\u009e\\u009f])[^\\u001b\\u009c\\n]{0,${kMaxString}}(?:\\u001b\\\\|\\u009c)` +
  "|\\u001b[ -/][0-~]|\\u001b[78=>cDEHMNOZ\\\\]", "g");

// A carriage return that overwrites its line begins another one: nothing that was written is lost.
const linesOf = (text: string): string => text.replace(/\r+\n/g, "\n").replace(/\r+/g, "\n");

export function parseAnsi(source: string): AnsiSpan[] {
  const text = linesOf(source);
  if (!/[\u001b\u0080-\u009f]/.test(text)) return text === "" ? [] : [{ ...kPlain, text: visible(text) }];
  const spans: AnsiSpan[] = [];
  let style: AnsiState = { ...kPlain, isInverse: false };
  let from = 0;
  const add = (piece: string): void => {
    if (piece === "") return;
    const shown = shownStyle(style);
    const last = spans[spans.length - 1];
    if (last && isSame(last, shown)) last.text += piece;
    else spans.push({ ...shown, text: piece });
  };
  for (const found of text.matchAll(kSequences)) {
    add(text.slice(from, found.index));
    from = found.index + found[0].length;
    if (spans.length >= kMaxSpans) break;
    if (found[2] === "m" && /^[0-9;:]*$/.test(found[1]!)) style = applied(style, found[1]!);
  }
  if (spans.length >= kMaxSpans) style = { ...kPlain, isInverse: false };
  add(text.slice(from).replace(kSequences, ""));
  return spans.map((span) => ({ ...span, text: visible(span.text) }));
}

interface AnsiState extends AnsiStyle {
  isInverse: boolean;
}

function shownStyle({ isInverse, ...style }: AnsiState): AnsiStyle {
  const ground = isInverse ? style.colour || "white" : style.ground;
  return { ...style, ground, colour: ground ? "" : style.colour };
}

const kKeys = Object.keys(kPlain) as (keyof AnsiStyle)[];
const isSame = (a: AnsiStyle, b: AnsiStyle): boolean => kKeys.every((key) => a[key] === b[key]);

function applied(before: AnsiState, parameters: string): AnsiState {
  const codes = parameters.split(/[;:]/).map(Number);
  const style = { ...before };
  for (let i = 0; i < codes.length; ++i) {
    const code = codes[i]!;
    if (code === 0) Object.assign(style, kPlain, { isInverse: false });
    else if (code === 1) style.isBold = true;
    else if (code === 2) style.isDim = true;
    else if (code === 3) style.isItalic = true;
    else if (code === 4) style.isUnderlined = true;
    else if (code === 7) style.isInverse = true;
    else if (code === 22) style.isBold = style.isDim = false;
    else if (code === 23) style.isItalic = false;
    else if (code === 24) style.isUnderlined = false;
    else if (code === 27) style.isInverse = false;
    else if (code === 38 || code === 48) {
      const { colour, used } = extended(codes, i + 1);
      style[code === 38 ? "colour" : "ground"] = colour;
      i += used;
    } else if (code === 39) style.colour = "";
    else if (code === 49) style.ground = "";
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) style.colour = kColours[code % 10]!;
    else if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) style.ground = kColours[code % 10]!;
  }
  return style;
}

// "5;N" of 256 colours or "2;R;G;B", as the closest named one.
function extended(codes: readonly number[], at: number): { colour: AnsiColour | ""; used: number } {
  if (codes[at] === 5) return { colour: ofPalette(codes[at + 1] ?? 0), used: 2 };
  if (codes[at] === 2) return { colour: closest(codes[at + 1] ?? 0, codes[at + 2] ?? 0, codes[at + 3] ?? 0), used: 4 };
  return { colour: "", used: 0 };
}

function ofPalette(number: number): AnsiColour {
  if (number < 16) return kColours[number % 8]!;
  if (number >= 232) return number < 244 ? "grey" : "white";
  const place = number - 16;
  return closest(...([Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map((step) => step * 51) as [number, number, number]));
}

function closest(red: number, green: number, blue: number): AnsiColour {
  const most = Math.max(red, green, blue);
  if (most - Math.min(red, green, blue) < 48) return most < 128 ? "grey" : "white";
  const has = (share: number): number => (share > most * 0.6 ? 1 : 0);
  return kColours[has(red) + 2 * has(green) + 4 * has(blue)]!;
}
