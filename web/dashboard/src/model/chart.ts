// The axes of charts.

// The end of an axis: 1, 2 or 5 times a power of ten, not below the highest point.
export function niceMax(points: readonly number[]): number {
  const highest = Math.max(0, ...points.filter((point) => Number.isFinite(point)));
  if (highest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  const factor = [1, 2, 5, 10].find((step) => highest <= step * power * 1.000001) ?? 10;
  return factor * power;
}
