// Where a thing stands in a conversation: by the time it was said, and within one millisecond by its number. A list that is
// kept in this order is changed only here, so that a thing whose time is corrected has exactly one way to move (R-TURN-4).

export interface Place {
  time: number; // ms since 1970
  ordinal: number;
}

export interface Placed {
  readonly key: string;
  place: Place;
}

export function comparePlaces(a: Place, b: Place): number {
  return a.time - b.time || a.ordinal - b.ordinal;
}

export function timeOf(timestamp: string | undefined): number {
  const time = timestamp ? Date.parse(timestamp) : NaN;
  return Number.isNaN(time) ? 0 : time;
}

// "1794777567042-17" of a turn's cursor.
export function placeOfCursor(cursor: string): Place | undefined {
  const found = /^(\d+)-(\d+)$/.exec(cursor);
  return found ? { time: Number(found[1]), ordinal: Number(found[2]) } : undefined;
}

// The first index whose item stands after this place.
export function upperBound(items: readonly Placed[], place: Place): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comparePlaces(items[middle]!.place, place) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function insertInPlace<T extends Placed>(items: T[], item: T): number {
  const last = items[items.length - 1];
  if (!last || comparePlaces(last.place, item.place) <= 0) return items.push(item) - 1;
  const at = upperBound(items, item.place);
  items.splice(at, 0, item);
  return at;
}

export function indexOfItem<T extends Placed>(items: readonly T[], item: T): number {
  for (let i = upperBound(items, item.place) - 1; i >= 0; --i) {
    if (items[i] === item) return i;
    if (comparePlaces(items[i]!.place, item.place) < 0) break;
  }
  return items.indexOf(item);
}

// Takes the item from where it is and puts it where it belongs. The others keep their order.
export function moveInPlace<T extends Placed>(items: T[], item: T, place: Place): number {
  const from = indexOfItem(items, item);
  if (from >= 0) items.splice(from, 1);
  item.place = place;
  return insertInPlace(items, item);
}
