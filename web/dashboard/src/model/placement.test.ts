import assert from "node:assert/strict";
import { test } from "node:test";
import { kAskCard, kCard, kCardHeight, kLine, placeColumns, placeGroups, type Placement, type Sized } from "./placement";

const card: Sized = { shape: kCard, height: kCardHeight };
const line: Sized = { shape: kLine, height: 36 };
const ask = (height: number): Sized => ({ shape: kAskCard, height });
const many = (count: number, what: Sized): Sized[] => Array.from({ length: count }, () => what);

// Whether two overlap, or one is outside.
function problemsOf(groups: readonly (readonly Sized[])[], { groups: placed, width, height }: Placement): string[] {
  const boxes = placed.flatMap(({ places }, i) => places.map((place, j) => ({ ...place, height: groups[i]![j]!.height })));
  const outside = boxes.filter((box) => box.x < 0 || box.x + box.width > width + 0.01 || box.y + box.height > height + 0.01);
  const overlapping = boxes.filter((a, i) => boxes.some((b, j) => j > i && a.x < b.x + b.width - 0.01 && b.x < a.x + a.width - 0.01 && a.y < b.y + b.height && b.y < a.y + a.height));
  return [...outside.map(() => "outside"), ...overlapping.map(() => "overlapping")];
}

test("R_PAGE_2 cards and rows are placed where they fit, and none covers another", () => {
  const mixed = [ask(200), ask(333), ask(150), card, card, line, card];
  for (const width of [320, 362, 700, 1000, 2500]) {
    for (const groups of [[], [many(1, card)], [many(3, card), [], many(17, line)], [mixed, many(40, card)], [mixed, mixed]]) {
      assert.deepEqual(problemsOf(groups, placeGroups(groups, width)), [], `${groups.map((group) => group.length)} in ${width} px`);
      assert.deepEqual(problemsOf(groups, placeColumns(groups, width)), [], `a board of ${groups.map((group) => group.length)} in ${width} px`);
    }
  }
});

test("R_PAGE_2 a new card at the end moves no other card", () => {
  const before = placeGroups([many(5, card)], 1000).groups[0]!.places;
  assert.deepEqual(placeGroups([many(6, card)], 1000).groups[0]!.places.slice(0, 5), before);
});

test("R_PAGE_2 a question has more room than a card, and a row has the whole width", () => {
  const [first] = placeGroups([[ask(200), card, line]], 1000).groups;
  assert.deepEqual(first!.places.map(({ width }) => Math.round(width)), [494, 325, 1000]);
});
