// Where the cards of the overview are. Cards have one height, and are moved by transforms: a session that starts or changes its
// state shifts no layout, however many there are.

export interface Place {
  x: number; // px
  y: number;
}

export interface GroupPlacement extends Place {
  width: number;
  height: number;
  cards: Place[]; // relative to the whole
}

export interface Placement {
  groups: GroupPlacement[];
  width: number;
  height: number;
  cardWidth: number;
}

export const kCardHeight = 178;
const kMinWidth = 290;
const kGap = 12;
const kHead = 30;
const kGroupGap = 20;
const kColumnGap = 14;
const kColumnPadding = 10;
const kMinColumn = 188;
const kPhone = 560; // a column of the board is most of the screen below

// Groups below each other, their cards in as many columns as fit.
export function placeGroups(counts: readonly number[], width: number): Placement {
  const columns = Math.max(1, Math.floor((width + kGap) / (kMinWidth + kGap)));
  const cardWidth = (width - (columns - 1) * kGap) / columns;
  let y = 0;
  const groups = counts.map((count) => {
    const cards = Array.from({ length: count }, (_, i) => ({
      x: (i % columns) * (cardWidth + kGap), y: y + kHead + Math.floor(i / columns) * (kCardHeight + kGap),
    }));
    const rows = Math.ceil(count / columns);
    const group = { x: 0, y, width, height: kHead + rows * (kCardHeight + kGap), cards };
    y += group.height - kGap + kGroupGap;
    return group;
  });
  return { groups, width, height: Math.max(0, y - kGroupGap), cardWidth };
}

// Groups beside each other.
export function placeColumns(counts: readonly number[], width: number): Placement {
  const fitting = (width - (counts.length - 1) * kColumnGap) / counts.length;
  const column = width < kPhone ? width * 0.8 : Math.max(kMinColumn, fitting);
  const groups = counts.map((count, i) => {
    const x = i * (column + kColumnGap);
    const cards = Array.from({ length: count }, (_, j) => ({ x: x + kColumnPadding, y: kColumnPadding + kHead + j * (kCardHeight + kGap) }));
    return { x, y: 0, width: column, height: 2 * kColumnPadding + kHead + Math.max(1, count) * (kCardHeight + kGap) - kGap, cards };
  });
  return {
    groups, width: counts.length * (column + kColumnGap) - kColumnGap, height: Math.max(0, ...groups.map((group) => group.height)), cardWidth: column - 2 * kColumnPadding,
  };
}
