// The rows of a conversation as the list shows them: one for each item, of a long message one for each part, so that only the
// visible parts are in the document and a growing message renders only its last one.
import { closesFence, openedFence } from "../text/markdown";
import type { Item, MessageItem } from "./items";

export interface Part {
  index: number;
  count: number;
  text: string;
  lines: number; // about
}

export type Row = Item | { key: string; item: MessageItem; part: Part };

const kLong = 12_000; // characters of a message that stays one row
const kPart = 6000;
const kMaxPart = 9000;
const kLine = 90;

export const isLast = (part: Pick<Part, "index" | "count">): boolean => part.index === part.count - 1;

export function rowsOf(items: readonly Item[]): readonly Row[] {
  if (!items.some(isLong)) return items;
  return items.flatMap((item) => (isLong(item) ? rowsOfMessage(item) : [item]));
}

const isLong = (item: Item): item is MessageItem => item.kind === "message" && item.text.length > kLong;

// The first row has the key of its item.
function rowsOfMessage(item: MessageItem): Row[] {
  const parts = partsOf(item);
  return parts.map((part, i) => ({ key: i === 0 ? item.key : `${item.key}#${i}`, item, part: { ...part, index: i, count: parts.length } }));
}

type Piece = Pick<Part, "text" | "lines">;

interface Split {
  ended: string; // the text of all pieces but the last
  pieces: Piece[]; // all but the last
  opening: string; // the line that opened the code block in which they end, if they do
}

const splits = new WeakMap<MessageItem, Split>();

// Goes on where it stopped if the message has only grown.
function partsOf(item: MessageItem): Piece[] {
  let split = splits.get(item);
  if (!split || !item.text.startsWith(split.ended)) splits.set(item, (split = { ended: "", pieces: [], opening: "" }));
  let start = split.ended.length;
  for (let cut = cutOf(item, start, split.opening); cut; cut = cutOf(item, start, split.opening)) {
    split.pieces.push(pieceOf(split.opening, item.text.slice(start, cut.end).replace(/\n$/, "")));
    split.opening = cut.opening;
    start = cut.end;
  }
  if (start > split.ended.length) split.ended = item.text.slice(0, start);
  return [...split.pieces, pieceOf(split.opening, item.text.slice(start))];
}

// A piece that begins inside a code block opens it again.
function pieceOf(opening: string, rest: string): Piece {
  const text = opening ? `${opening}\n${rest}` : rest;
  return { text, lines: text.split("\n").reduce((sum, line) => sum + 1 + Math.floor(line.length / kLine), 0) };
}

interface Cut {
  end: number;
  opening: string;
}

// Where the piece that begins at `start` ends: after an empty line outside of code, else after any line, else inside a line.
// Undefined if the rest is one piece.
function cutOf({ text, role }: MessageItem, start: number, opening: string): Cut | undefined {
  if (text.length - start <= kMaxPart) return undefined;
  const window = text.slice(start, start + kMaxPart);
  let open = opening;
  let line: Cut | undefined;
  let emptyLine: Cut | undefined;
  for (let at = 0, end; (end = window.indexOf("\n", at) + 1) > 0; at = end) {
    const content = window.slice(at, end - 1);
    if (role === "agent") open = openAfter(content, open);
    if (end < kPart / 2) continue;
    line = { end: start + end, opening: open };
    if (open || content.trim() !== "") continue;
    emptyLine = line;
    if (end > kPart) break;
  }
  const last = window.charCodeAt(window.length - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff; // of a character
  return emptyLine ?? line ?? { end: start + window.length - (isHalf ? 1 : 0), opening: open };
}

// The line that opened the code block after this line, if there is one.
function openAfter(line: string, open: string): string {
  if (open) return closesFence(line, openedFence(open)!) ? "" : open;
  return openedFence(line) ? line : "";
}
