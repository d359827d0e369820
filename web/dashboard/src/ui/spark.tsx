// A line chart of the last minutes: its newest value, and axes with units.
import { niceMax } from "../model/chart";

interface Props {
  title: string;
  value: string;
  detail?: string;
  points: readonly number[];
  label: (value: number) => string; // of a value on the axis
  span: string; // the time of all points: "5 min"
}

const kWidth = 240;
const kHeight = 72;

export function Spark({ title, value, detail, points, label, span }: Props) {
  const max = niceMax(points);
  const step = kWidth / Math.max(1, points.length - 1);
  const y = (point: number): number => kHeight - 1 - (point / max) * (kHeight - 2);
  const coordinates = points.map((point, i) => (Number.isFinite(point) ? `${(i * step).toFixed(1)},${y(point).toFixed(1)}` : "")).filter(Boolean);
  const line = coordinates.join(" ");
  const from = points.findIndex((point) => Number.isFinite(point)) * step;
  return (
    <figure class="spark">
      <figcaption><span class="spark-title">{title}</span><span class="spark-value">{value}</span></figcaption>
      <div class="spark-plot">
        <svg viewBox={`0 0 ${kWidth} ${kHeight}`} preserveAspectRatio="none" role="img" aria-label={`${title}: ${value}, at most ${label(max)} on the axis`}>
          {[0, max / 2, max].map((tick) => <line key={tick} class="spark-grid" x1={0} x2={kWidth} y1={y(tick)} y2={y(tick)} vector-effect="non-scaling-stroke" />)}
          {coordinates.length > 1 && <polygon class="spark-area" points={`${from.toFixed(1)},${kHeight} ${line} ${kWidth},${kHeight}`} />}
          {coordinates.length > 1 && <polyline class="spark-line" points={line} vector-effect="non-scaling-stroke" />}
        </svg>
        <span class="spark-axis" aria-hidden="true"><span>{label(max)}</span><span>{label(max / 2)}</span><span>{label(0)}</span></span>
      </div>
      <span class="spark-times" aria-hidden="true"><span>{span} ago</span><span>now</span></span>
      <span class="spark-detail">{detail ?? " "}</span>
    </figure>
  );
}
