// The timeline of a session. A click scrolls to its item.
import { useRef } from "preact/hooks";
import { now } from "../app/clock";
import type { SessionView } from "../app/session_view";
import { timelineOf, type Timeline } from "../model/timeline";
import { duration } from "../text/format";

const kRenderInterval = 1000; // ms
const kMaxShare = 0.03; // of the CPU time

export function TimelineStrip({ view, onPick }: { view: SessionView; onPick: (key: string) => void }) {
  const rendered = useRef<{ next: number; version: number; timeline: Timeline } | undefined>(undefined);
  void view.version.value;
  const time = now.value;
  const { version, items } = view.conversation;
  if (!rendered.current || (rendered.current.version !== version && (rendered.current.timeline.spans.length === 0 || performance.now() > rendered.current.next))) {
    const before = performance.now();
    const timeline = timelineOf(items, time);
    const after = performance.now();
    rendered.current = { next: after + Math.max(kRenderInterval, (after - before) / kMaxShare), version, timeline };
  }
  const { spans, start, end } = rendered.current.timeline;
  return (
    <div class="timeline" role="img" aria-label={`Timeline of ${duration(Math.max(0, end - start))}`}>
      <svg viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true" onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        const share = (event.clientX - box.left) / box.width;
        const near = spans.reduce<(typeof spans)[number] | undefined>((best, span) => (!best || distance(span, share) < distance(best, share) ? span : best), undefined);
        if (near) onPick(near.key);
      }}>
        {spans.map((span) => <rect key={span.key} class={`span-${span.kind}`} x={span.from * 1000} y={span.kind === "user" ? 0 : 4} height={span.kind === "user" ? 20 : 12} width={Math.max(2, (span.to - span.from) * 1000)}><title>{span.label}</title></rect>)}
      </svg>
    </div>
  );
}

function distance(span: { from: number; to: number }, share: number): number {
  return share < span.from ? span.from - share : share > span.to ? share - span.to : 0;
}
