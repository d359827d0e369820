// The timeline of a session. A click or Enter scrolls to an item; in a replay it seeks.
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { now } from "../app/clock";
import type { Replay } from "../app/replay";
import type { SessionView } from "../app/session_view";
import { shareAt, spanAt, ticksOf, timeAt, timelineOf, type Segment, type Span, type SpanKind, type Timeline } from "../model/timeline";
import { clock, dayAndClock, duration, elapsed } from "../text/format";
import { visibleLine } from "../text/visible";

const kRenderInterval = 1000; // ms
const kMaxShare = 0.03; // of the CPU time
const kLaneHeight = 8; // px
const kTicks = 7;
const kLegend: [SpanKind, string][] = [["user", "You"], ["agent", "Agent"], ["tool", "Tool"], ["ask", "Question"], ["failed", "Failure"]];

interface Rendered {
  next: number; // not before
  version: number;
  timeline: Timeline;
  marks: ComponentChildren;
}

export function TimelineStrip({ view, replay, onPick }: { view: SessionView; replay: Replay | undefined; onPick: (key: string) => void }) {
  const rendered = useRef<Rendered | undefined>(undefined);
  const strip = useRef<HTMLDivElement>(null);
  const [hovered, setHovered] = useState("");
  const [selected, setSelected] = useState("");
  void view.version.value;
  const time = now.value;
  const { version, items } = view.conversation;
  const current = rendered.current;
  const isStale = !current || current.timeline.isRunning || current.version !== version;
  if (isStale && (!current || current.timeline.spans.length === 0 || performance.now() > current.next)) {
    const before = performance.now();
    const timeline = timelineOf(items, time);
    const after = performance.now();
    rendered.current = { next: after + Math.max(kRenderInterval, (after - before) / kMaxShare), version, timeline, marks: <Marks timeline={timeline} /> };
  }
  const { timeline, marks } = rendered.current!;
  const { spans, axis, lanes } = timeline;
  const moment = replay?.playback.value && replay.moment.value;
  const at = spans.findIndex((span) => span.key === selected);
  const shown = spans.find((span) => span.key === hovered) ?? spans[at];
  const total = axis.length > 0 ? axis[axis.length - 1]!.to - axis[0]!.from : 0;

  const placeOf = (event: MouseEvent): { share: number; span: Span | undefined } => {
    const box = strip.current!.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    return { share, span: spanAt(timeline, share, Math.floor(((event.clientY - box.top) / box.height) * lanes)) };
  };
  const onClick = (event: MouseEvent): void => {
    const { share, span } = placeOf(event);
    if (span) setSelected(span.key);
    if (replay) replay.seekMoment(timeAt(axis, share));
    else if (span) onPick(span.key);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const span = spans[at];
    const next = { ArrowLeft: at < 0 ? spans.length - 1 : at - 1, ArrowRight: at + 1, Home: 0, End: spans.length - 1 }[event.key];
    if (next !== undefined) setSelected(spans[Math.min(spans.length - 1, Math.max(0, next))]?.key ?? "");
    else if (event.key === "Enter" && span) replay ? replay.seekMoment(span.from) : onPick(span.key);
    else return;
    event.preventDefault();
  };
  return (
    <div class="timeline">
      <div class="timeline-head">
        <span class="timeline-readout">{shown ? describe(shown) : total > 0 && duration(total)}</span>
        <ul class="timeline-legend">
          {kLegend.filter(([kind]) => spans.some((span) => span.kind === kind)).map(([kind, name]) => <li key={kind}><span class="timeline-key" data-kind={kind} aria-hidden="true" />{name}</li>)}
        </ul>
      </div>
      <div class="timeline-strip" ref={strip} role="slider" tabIndex={0} aria-label="Timeline" aria-valuemin={0} aria-valuemax={Math.max(0, spans.length - 1)}
        aria-valuenow={Math.max(0, at)} aria-valuetext={spans[at] ? describe(spans[at]) : `${spans.length} spans in ${duration(total)}`}
        onClick={onClick} onKeyDown={onKeyDown} onPointerMove={(event) => setHovered(placeOf(event).span?.key ?? "")} onPointerLeave={() => setHovered("")}
        style={{ height: `${lanes * kLaneHeight}px` }}>
        {marks}
        {shown && <span class="timeline-shown" style={placed(axis, shown)} />}
        {moment !== undefined && <span class="timeline-playhead" style={{ left: percent(shareAt(axis, moment)) }} />}
      </div>
      <div class="timeline-ticks" aria-hidden="true">
        {ticksOf(axis, kTicks).map(({ at: place, time: tick }, i) => <span key={i} style={{ left: percent(place) }} title={dayAndClock(tick)}>{clock(tick)}</span>)}
      </div>
    </div>
  );
}

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;

function placed(axis: readonly Segment[], span: Span): Record<string, string> {
  const from = shareAt(axis, span.from);
  return { left: percent(from), width: `max(2px, ${percent(shareAt(axis, span.to) - from)})`, top: `${span.lane * kLaneHeight}px`, height: `${kLaneHeight}px` };
}

function describe(span: Span): string {
  const name = visibleLine(span.label, 60) + (span.others > 0 ? ` and ${span.others} more` : "");
  return [name, span.to > span.from ? duration(span.to - span.from) : "", clock(span.from)].filter(Boolean).join(" \u00b7 ");
}

// Drawn again only with another timeline.
function Marks({ timeline: { spans, axis, lanes } }: { timeline: Timeline }) {
  return (
    <svg viewBox={`0 0 1000 ${lanes * kLaneHeight}`} preserveAspectRatio="none" aria-hidden="true">
      {axis.filter(({ isBreak }) => isBreak).map(({ from, to, start, end }) => (
        <rect key={from} class="timeline-break" x={start * 1000} y={0} width={(end - start) * 1000} height={lanes * kLaneHeight}><title>{`Idle for ${elapsed(to - from)}`}</title></rect>
      ))}
      {spans.map(({ key, kind, from, to, lane }) => {
        const start = shareAt(axis, from) * 1000;
        const isMark = kind === "user";
        return <rect key={key} class="timeline-span" data-kind={kind} data-key={key} x={Math.min(998, start)} y={isMark ? 0 : lane * kLaneHeight + 1}
          width={Math.max(2, shareAt(axis, to) * 1000 - start)} height={isMark ? lanes * kLaneHeight : kLaneHeight - 2} />;
      })}
    </svg>
  );
}
