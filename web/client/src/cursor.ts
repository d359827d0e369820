// A cursor is `<sequence>-<epoch>`: a sequence in one life of the journal. "0" precedes every stored event.

export type Cursor = string | undefined;

export const sequenceOf = (cursor: Cursor): number => Number.parseInt(cursor ?? "") || 0;

const epochOf = (cursor: string): string => /-(.*)/.exec(cursor)?.[1] ?? "";

// Whether `cursor` includes every event up to `other`. Cursors of different epochs are not comparable.
export function hasReached(cursor: Cursor, other: Cursor): boolean {
  if (cursor === other) return true;
  if (cursor === undefined || other === undefined) return false;
  return epochOf(cursor) === epochOf(other) && sequenceOf(cursor) >= sequenceOf(other);
}
