// Makes hostile text visible: control characters, direction marks and invisible characters are replaced by symbols. All text on the
// page passes through here, so that a command in a permission request cannot hide anything.

// Controls except tab and newline, direction marks, zero-width characters except the joiners of scripts and emoji, tags, line
// separators, lone surrogates.
const kHidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\u{e0000}|[\u{e0001}-\u{e007f}]|[\ud800-\udfff]/gu;

function symbolOf(hidden: string): string {
  const code = hidden.codePointAt(0)!;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  if (code === 0x2028 || code === 0x2029) return "\n";
  if (code >= 0xd800 && code <= 0xdfff) return "\ufffd";
  return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, "0")}\u27e9`;
}

export function visible(text: string): string {
  const lines = text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
  return lines.replace(kHidden, symbolOf);
}

// One line of at most `max` characters.
export function visibleLine(text: string, max: number): string {
  const line = visible(text.slice(0, max * 2)).replace(/\s+/g, " ").trim();
  return line.length > max || text.length > max * 2 ? `${line.slice(0, max - 1).trimEnd()}\u2026` : line;
}

export interface Truncated {
  shown: string;
  hidden: number; // characters
}

// Truncates a long text at a line if possible, never inside a character.
export function truncate(text: string, max: number): Truncated {
  if (text.length <= max) return { shown: text, hidden: 0 };
  const line = text.lastIndexOf("\n", max);
  let end = line > max / 2 ? line + 1 : max;
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return { shown: text.slice(0, end), hidden: text.length - end };
}
