import assert from "node:assert/strict";
import { test } from "node:test";
import { kCardHeight, placeColumns, placeGroups, type Placement } from "./placement";

// Whether two cards overlap, or one is outside.
function problemsOf({ groups, width, height, cardWidth }: Placement): string[] {
  const cards = groups.flatMap((group) => group.cards);
  const outside = cards.filter(({ x, y }) => x < 0 || x + cardWidth > width + 0.01 || y + kCardHeight > height + 12);
  const overlapping = cards.filter((a, i) => cards.some((b, j) => j > i && Math.abs(a.x - b.x) < cardWidth && Math.abs(a.y - b.y) < kCardHeight));
  return [...outside.map(() => "outside"), ...overlapping.map(() => "overlapping")];
}

test("R_PAGE_2 cards are placed in columns that fit, and none covers another", () => {
  for (const width of [320, 362, 700, 1000, 2500]) {
    for (const counts of [[], [1], [3, 0, 17], [40, 1, 1]]) {
      assert.deepEqual(problemsOf(placeGroups(counts, width)), [], `${counts} in ${width} px`);
      assert.deepEqual(problemsOf(placeColumns(counts, width)), [], `a board of ${counts} in ${width} px`);
    }
  }
});

test("R_PAGE_2 a new card at the end moves no other card", () => {
  const before = placeGroups([5], 1000).groups[0]!.cards;
  assert.deepEqual(placeGroups([6], 1000).groups[0]!.cards.slice(0, 5), before);
});
