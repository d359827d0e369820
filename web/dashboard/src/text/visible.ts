// Text of agents is hostile: what would act on a terminal or turn the reading order around is shown as a sign instead.
// What is drawn is always made by this, so that nothing invisible can stand in a command that a person is asked to allow.

// Controls but tab and newline; marks of direction; zero-width signs but the joiners that scripts and emoji need; tags;
// line separators; lone surrogates.
const kHidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\u{e0000}|[\u{e0001}-\u{e007f}]|[\ud800-\udfff]/gu;
const kColours = /\u001b\[[0-9;:]*m/g;

function sign(hidden: string): string {
  const code = hidden.codePointAt(0)!;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  if (code === 0x2028 || code === 0x2029) return "\n";
  if (code >= 0xd800 && code <= 0xdfff) return "\ufffd";
  return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, "0")}\u27e9`;
}

export function visible(text: string): string {
  const lines = text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
  return lines.replace(kHidden, sign);
}

// What tools print: colours are left out, every other escape is shown.
export function visibleOutput(text: string): string {
  return visible(text.includes("\u001b[") ? text.replace(kColours, "") : text);
}

// In one line, for cards and titles.
export function visibleLine(text: string, most: number): string {
  const line = visible(text.slice(0, most * 2)).replace(/\s+/g, " ").trim();
  return line.length > most || text.length > most * 2 ? `${line.slice(0, most - 1).trimEnd()}\u2026` : line;
}

export interface Cut {
  shown: string;
  hidden: number; // characters
}

// A page of a long text: whole lines where there are lines, and never half of a character.
export function cut(text: string, most: number): Cut {
  if (text.length <= most) return { shown: text, hidden: 0 };
  const line = text.lastIndexOf("\n", most);
  let end = line > most / 2 ? line + 1 : most;
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return { shown: text.slice(0, end), hidden: text.length - end };
}
