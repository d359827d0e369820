// The position of an item in a conversation: by time, and within one millisecond by ordinal. Ordered lists change only through
// these functions, so an item whose time is corrected moves in exactly one way (R-TURN-4).

export interface Position {
  time: number; // ms since 1970
  ordinal: number;
}

export interface Positioned {
  readonly key: string;
  position: Position;
}

export function comparePositions(a: Position, b: Position): number {
  return a.time - b.time || a.ordinal - b.ordinal;
}

export function timeOf(timestamp: string | undefined): number {
  const time = timestamp ? Date.parse(timestamp) : NaN;
  return Number.isNaN(time) ? 0 : time;
}

// Parses the cursor of a turn, such as "1794777567042-17".
export function positionOfCursor(cursor: string): Position | undefined {
  const found = /^(\d+)-(\d+)$/.exec(cursor);
  return found ? { time: Number(found[1]), ordinal: Number(found[2]) } : undefined;
}

// The first index whose item is after the position.
export function upperBound(items: readonly Positioned[], position: Position): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comparePositions(items[middle]!.position, position) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function insertOrdered<T extends Positioned>(items: T[], item: T): number {
  const last = items[items.length - 1];
  if (!last || comparePositions(last.position, item.position) <= 0) return items.push(item) - 1;
  const at = upperBound(items, item.position);
  items.splice(at, 0, item);
  return at;
}

export function indexOfItem<T extends Positioned>(items: readonly T[], item: T): number {
  for (let i = upperBound(items, item.position) - 1; i >= 0; --i) {
    if (items[i] === item) return i;
    if (comparePositions(items[i]!.position, item.position) < 0) break;
  }
  return items.indexOf(item);
}

// Moves an item to a position. The others keep their order.
export function moveOrdered<T extends Positioned>(items: T[], item: T, position: Position): number {
  const from = indexOfItem(items, item);
  if (from >= 0) items.splice(from, 1);
  item.position = position;
  return insertOrdered(items, item);
}
