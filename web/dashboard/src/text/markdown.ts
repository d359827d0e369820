// Parses Markdown to a tree without HTML. Linear in the text: the search for a closing mark is limited to kMaxSpan, and nesting to
// kMaxDepth.

export type Inline =
  | string
  | { kind: "code"; text: string }
  | { kind: "strong" | "em" | "strike"; children: Inline[] }
  | { kind: "link"; href: string; children: Inline[] };

export type Block =
  | { kind: "paragraph"; children: Inline[] }
  | { kind: "heading"; level: number; children: Inline[] }
  | { kind: "code"; language: string; text: string }
  | { kind: "quote"; children: Block[] }
  | { kind: "list"; isOrdered: boolean; start: number; items: Block[][] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] }
  | { kind: "rule" };

const kMaxDepth = 6;
const kMaxSpan = 1000;

export function parseMarkdown(text: string): Block[] {
  return parseBlocks(text.split("\n"), 0);
}

const kFence = /^( {0,3})(`{3,}|~{3,})\s*([^`\s]*)[^`]*$/;
const kHeading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const kRule = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const kListItem = /^(\s*)(?:[-*+]|(\d{1,9})[.)])(?:\s+|$)(.*)$/;
const kTableRule = /^\s*\|?\s*:?-{1,}:?\s*(?:\|\s*:?-{1,}:?\s*)*\|?\s*$/;

function parseBlocks(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const flush = (): void => {
    if (paragraph.length > 0) blocks.push({ kind: "paragraph", children: parseInline(paragraph.join("\n")) });
    paragraph = [];
  };
  for (let i = 0; i < lines.length; ++i) {
    const line = lines[i]!;
    if (line.trim() === "") {
      flush();
      continue;
    }
    const fence = kFence.exec(line);
    if (fence) {
      flush();
      const end = endOfFence(lines, i + 1, fence[2]!);
      const indent = fence[1]!.length;
      const body = lines.slice(i + 1, end).map((inner) => inner.slice(Math.min(indent, inner.length - inner.trimStart().length)));
      blocks.push({ kind: "code", language: fence[3]!.toLowerCase(), text: body.join("\n") });
      i = end;
      continue;
    }
    const heading = kHeading.exec(line);
    if (heading) {
      flush();
      blocks.push({ kind: "heading", level: heading[1]!.length, children: parseInline(heading[2]!) });
      continue;
    }
    if (kRule.test(line)) {
      flush();
      blocks.push({ kind: "rule" });
      continue;
    }
    if (depth < kMaxDepth && /^ {0,3}>/.test(line)) {
      flush();
      let end = i;
      while (end < lines.length && /^ {0,3}>/.test(lines[end]!)) end += 1;
      blocks.push({ kind: "quote", children: parseBlocks(lines.slice(i, end).map((inner) => inner.replace(/^ {0,3}> ?/, "")), depth + 1) });
      i = end - 1;
      continue;
    }
    const item = kListItem.exec(line);
    if (item && depth < kMaxDepth && (paragraph.length === 0 || item[3] !== "")) {
      flush();
      i = parseList(lines, i, item, depth, blocks) - 1;
      continue;
    }
    if (line.includes("|") && i + 1 < lines.length && paragraph.length === 0 && lines[i + 1]!.includes("-") && kTableRule.test(lines[i + 1]!)) {
      i = parseTable(lines, i, blocks) - 1;
      continue;
    }
    paragraph.push(line);
  }
  flush();
  return blocks;
}

function endOfFence(lines: readonly string[], from: number, fence: string): number {
  for (let i = from; i < lines.length; ++i) if (closesFence(lines[i]!, fence)) return i;
  return lines.length; // an unfinished stream
}

// The mark with which a line opens a code block, if it does.
export function openedFence(line: string): string | undefined {
  return kFence.exec(line)?.[2];
}

export function closesFence(line: string, fence: string): boolean {
  const mark = line.trim();
  return mark.startsWith(fence) && mark === fence[0]!.repeat(mark.length);
}

// Returns the line after the list.
function parseList(lines: readonly string[], from: number, first: RegExpExecArray, depth: number, blocks: Block[]): number {
  const indent = first[1]!.length;
  const isOrdered = first[2] !== undefined;
  const items: string[][] = [];
  let i = from;
  for (; i < lines.length; ++i) {
    const line = lines[i]!;
    const item = kListItem.exec(line);
    if (item && item[1]!.length <= indent + 1 && item[1]!.length >= indent - 1 && (item[2] !== undefined) === isOrdered && !kRule.test(line)) {
      items.push([item[3]!]);
      continue;
    }
    const own = line.length - line.trimStart().length;
    if (line.trim() === "") {
      const next = lines[i + 1];
      if (next === undefined || next.trim() === "") break;
      const continues = next.length - next.trimStart().length > indent || kListItem.test(next);
      if (!continues) break;
      items[items.length - 1]!.push("");
    } else if (own > indent) {
      items[items.length - 1]!.push(line.slice(Math.min(own, indent + (isOrdered ? 3 : 2))));
    } else {
      break;
    }
  }
  blocks.push({ kind: "list", isOrdered, start: Number(first[2] ?? 1), items: items.map((item) => parseBlocks(item, depth + 1)) });
  return i;
}

function cells(line: string): Inline[][] {
  return line.trim().replace(/^\||\|$/g, "").split("|").slice(0, 50).map((cell) => parseInline(cell.trim()));
}

function parseTable(lines: readonly string[], from: number, blocks: Block[]): number {
  const rows: Inline[][][] = [];
  let i = from + 2;
  for (; i < lines.length && lines[i]!.includes("|") && lines[i]!.trim() !== ""; ++i) rows.push(cells(lines[i]!));
  blocks.push({ kind: "table", head: cells(lines[from]!), rows });
  return i;
}

const kMark = /[`*_~[\\h!]/g;
const kEscapable = /[\\`*_{}[\]()#+\-.!|~>]/;

export function parseInline(text: string, depth = 0): Inline[] {
  if (depth > kMaxDepth) return [text];
  const out: Inline[] = [];
  let from = 0;
  const mark = new RegExp(kMark);
  const unclosed: Unclosed = new Map();
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const at = found.index;
    const taken = takeMark(text, at, depth, unclosed);
    if (!taken) continue;
    if (at > from) out.push(text.slice(from, at));
    out.push(taken.inline);
    from = taken.end;
    mark.lastIndex = from;
  }
  if (from < text.length) out.push(text.slice(from));
  return out;
}

// For each mark, the offset up to which it is known to have no closing mark.
type Unclosed = Map<string, number>;

interface Taken {
  inline: Inline;
  end: number;
}

function takeMark(text: string, at: number, depth: number, unclosed: Unclosed): Taken | undefined {
  switch (text[at]) {
    case "\\":
      return at + 1 < text.length && kEscapable.test(text[at + 1]!) ? { inline: text[at + 1]!, end: at + 2 } : undefined;
    case "`": return takeCode(text, at);
    case "*": case "_": return takeEmphasis(text, at, depth, unclosed);
    case "~": return text[at + 1] === "~" ? takeWrapped(text, at, "~~", "strike", depth, unclosed) : undefined;
    case "[": return takeLink(text, at, at, depth);
    case "!": return text[at + 1] === "[" ? takeLink(text, at + 1, at, depth) : undefined; // an image becomes a link: nothing is fetched
    case "h": return takeUrl(text, at);
  }
  return undefined;
}

function takeCode(text: string, at: number): Taken | undefined {
  let open = at;
  while (text[open] === "`") open += 1;
  const fence = text.slice(at, open);
  const close = within(text, fence, open, 10 * kMaxSpan);
  if (close < 0) return { inline: fence, end: open };
  return { inline: { kind: "code", text: text.slice(open, close).replace(/^ (.*) $/, "$1") }, end: close + fence.length };
}

function within(text: string, what: string, from: number, span: number): number {
  const window = text.slice(from, from + span + what.length);
  const found = window.indexOf(what);
  return found < 0 ? -1 : from + found;
}

const isWord = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}]/u.test(sign);

function takeEmphasis(text: string, at: number, depth: number, unclosed: Unclosed): Taken | undefined {
  const mark = text[at]!;
  if (mark === "_" && isWord(text[at - 1])) return undefined;
  if (text[at + 1] === mark) return takeWrapped(text, at, mark + mark, "strong", depth, unclosed);
  return takeWrapped(text, at, mark, "em", depth, unclosed);
}

function takeWrapped(text: string, at: number, mark: string, kind: "strong" | "em" | "strike", depth: number, unclosed: Unclosed): Taken | undefined {
  const open = at + mark.length;
  if (/\s/.test(text[open] ?? " ")) return undefined;
  let close = Math.max(open, (unclosed.get(mark) ?? 0) - mark.length);
  for (;;) {
    close = within(text, mark, close + 1, kMaxSpan - (close - open));
    if (close < 0) {
      unclosed.set(mark, open + kMaxSpan);
      return undefined;
    }
    if (/\s/.test(text[close - 1]!)) continue;
    if (mark.length === 1 && (text[close + 1] === mark || text[close - 1] === mark)) {
      close += 1;
      continue;
    }
    if (mark[0] === "_" && isWord(text[close + mark.length])) continue;
    break;
  }
  return { inline: { kind, children: parseInline(text.slice(open, close), depth + 1) }, end: close + mark.length };
}

function takeLink(text: string, at: number, from: number, depth: number): Taken | undefined {
  const close = within(text, "](", at + 1, kMaxSpan);
  if (close < 0) return undefined;
  const end = within(text, ")", close + 2, 2 * kMaxSpan);
  if (end < 0) return undefined;
  const href = safeUrl(text.slice(close + 2, end).trim().split(/\s/, 1)[0]!);
  const label = text.slice(at + 1, close);
  if (!href || label.includes("\n\n")) return undefined;
  return { inline: { kind: "link", href, children: from < at ? [label || href] : parseInline(label, depth + 2) }, end: end + 1 };
}

function takeUrl(text: string, at: number): Taken | undefined {
  if (isWord(text[at - 1])) return undefined;
  const found = /^https?:\/\/[^\s<>"'`\u0000-\u001f]+/.exec(text.slice(at, at + 2 * kMaxSpan));
  if (!found) return undefined;
  const address = found[0].replace(/[.,;:!?)\]*_]+$/, "");
  const href = safeUrl(address);
  return href ? { inline: { kind: "link", href, children: [address] }, end: at + address.length } : undefined;
}

// Only URLs that run no code.
export function safeUrl(address: string): string | undefined {
  if (!/^(https?:\/\/|mailto:)/i.test(address)) return undefined;
  try {
    const url = new URL(address);
    return url.username || url.password ? undefined : url.href;
  } catch {
    return undefined;
  }
}
