// A cursor is `<sequence>-<epoch>`: a place in one life of the journal. "0" alone stands before everything that is held.

export type Cursor = string | undefined;

export const sequenceOf = (cursor: Cursor): number => Number.parseInt(cursor ?? "") || 0;

const epochOf = (cursor: string): string => /-(.*)/.exec(cursor)?.[1] ?? "";

// Whether who is at `place` has had everything up to `other`. Places of different lives cannot be compared.
export function hasReached(place: Cursor, other: Cursor): boolean {
  if (place === other) return true;
  if (place === undefined || other === undefined) return false;
  return epochOf(place) === epochOf(other) && sequenceOf(place) >= sequenceOf(other);
}
