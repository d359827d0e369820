// A small line chart of the last minutes with its newest value.
interface Props {
  title: string;
  value: string;
  detail?: string;
  points: readonly number[];
}

const kWidth = 240;
const kHeight = 48;

export function Spark({ title, value, detail, points }: Props) {
  const known = points.filter((point) => Number.isFinite(point));
  const max = Math.max(1e-9, ...known);
  const step = kWidth / Math.max(1, points.length - 1);
  const coordinates = points.map((point, i) => (Number.isFinite(point) ? `${(i * step).toFixed(1)},${(kHeight - 3 - (point / max) * (kHeight - 8)).toFixed(1)}` : "")).filter(Boolean);
  const line = coordinates.join(" ");
  const from = points.findIndex((point) => Number.isFinite(point)) * step;
  return (
    <figure class="spark">
      <figcaption><span class="spark-title">{title}</span><span class="spark-value">{value}</span></figcaption>
      <svg viewBox={`0 0 ${kWidth} ${kHeight}`} preserveAspectRatio="none" role="img" aria-label={`${title}: ${value}`}>
        {coordinates.length > 1 && <polygon class="spark-area" points={`${from.toFixed(1)},${kHeight} ${line} ${kWidth},${kHeight}`} />}
        {coordinates.length > 1 && <polyline class="spark-line" points={line} vector-effect="non-scaling-stroke" />}
      </svg>
      <span class="spark-detail">{detail ?? " "}</span>
    </figure>
  );
}
