// Where the cards and rows of the overview are. They are moved by transforms: a session that starts or changes its state shifts no
// layout, however many there are.

export interface Place {
  x: number; // px
  y: number;
  width: number;
}

export interface GroupPlacement extends Place {
  height: number;
  places: Place[]; // of what is in it, relative to the whole
}

export interface Placement {
  groups: GroupPlacement[];
  width: number;
  height: number;
}

// What is placed. Neighbours of the same shape share lines.
export interface Shape {
  minWidth: number; // px; Infinity: a line of its own
  gap: number; // px
}

export interface Sized {
  shape: Shape;
  height: number; // px
}

export const kCard: Shape = { minWidth: 290, gap: 12 };
export const kAskCard: Shape = { minWidth: 420, gap: 12 };
export const kLine: Shape = { minWidth: Infinity, gap: 0 };
export const kCardHeight = 178;
export const kAskHeight = 280; // about, until it is measured

const kHead = 30;
const kGroupGap = 20;
const kColumnGap = 12;
const kColumnPadding = 8;
const kMinColumn = 188;
const kPhone = 560; // a column of the board is most of the screen below

export const lineHeightOf = (width: number): number => (width < kPhone ? 56 : 36);

// Groups below each other.
export function placeGroups(groups: readonly (readonly Sized[])[], width: number): Placement {
  let top = 0;
  const placed = groups.map((sized) => {
    const { places, end } = flow(sized, width, top + kHead);
    const group = { x: 0, y: top, width, height: end - top, places };
    top = end + kGroupGap;
    return group;
  });
  return { groups: placed, width, height: Math.max(0, top - kGroupGap) };
}

// In lines, each as high as the highest in it.
function flow(sized: readonly Sized[], width: number, from: number): { places: Place[]; end: number } {
  const places: Place[] = [];
  let y = from;
  for (let i = 0; i < sized.length; ) {
    const { shape } = sized[i]!;
    const columns = Math.max(1, Math.floor((width + shape.gap) / (shape.minWidth + shape.gap)) || 1);
    const line = lineOf(sized.slice(i, i + columns), shape);
    const each = (width - (columns - 1) * shape.gap) / columns;
    places.push(...line.map((_, j) => ({ x: j * (each + shape.gap), y, width: each })));
    i += line.length;
    const gap = i < sized.length ? Math.max(shape.gap, sized[i]!.shape.gap) : 0;
    y += Math.max(...line.map(({ height }) => height)) + gap;
  }
  return { places, end: y };
}

function lineOf(sized: readonly Sized[], shape: Shape): readonly Sized[] {
  const end = sized.findIndex((one) => one.shape !== shape);
  return end < 0 ? sized : sized.slice(0, end);
}

// Groups beside each other.
export function placeColumns(groups: readonly (readonly Sized[])[], width: number): Placement {
  const fitting = (width - (groups.length - 1) * kColumnGap) / groups.length;
  const column = width < kPhone ? width * 0.8 : Math.max(kMinColumn, fitting);
  const inner = column - 2 * kColumnPadding;
  const placed = groups.map((sized, i) => {
    const x = i * (column + kColumnGap);
    let y = kColumnPadding + kHead;
    const places = sized.map(({ height }) => {
      const place = { x: x + kColumnPadding, y, width: inner };
      y += height + kCard.gap;
      return place;
    });
    const height = (sized.length > 0 ? y - kCard.gap : y + kCardHeight) + kColumnPadding;
    return { x, y: 0, width: column, height, places };
  });
  return { groups: placed, width: groups.length * (column + kColumnGap) - kColumnGap, height: Math.max(0, ...placed.map(({ height }) => height)) };
}
