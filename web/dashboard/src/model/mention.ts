// A file of the workspace that is being named in a message: "@" and the beginning of its path.

export interface Mention {
  from: number; // of the "@"
  typed: string;
}

const kMention = /(?:^|[\s(])@([^\s@"]{0,200})$/;

// The mention that ends at the caret, if there is one.
export function mentionAt(text: string, caret: number): Mention | undefined {
  const found = kMention.exec(text.slice(Math.max(0, caret - 220), caret));
  return found ? { from: caret - found[1]!.length - 1, typed: found[1]! } : undefined;
}

// The text with the path, and the caret behind it. After a directory its files can be typed.
export function completed(text: string, { from, typed }: Mention, path: string): { text: string; caret: number } {
  const end = from + 1 + typed.length;
  const name = /\s/.test(path) ? `@"${path}"` : `@${path}`;
  const isDirectory = path.endsWith("/") && name.endsWith("/");
  const inserted = isDirectory || /^\s/.test(text.slice(end)) ? name : `${name} `;
  return { text: text.slice(0, from) + inserted + text.slice(end), caret: from + inserted.length };
}
