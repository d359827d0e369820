// The run at a glance: who worked when. A click leads there.
import { useRef } from "preact/hooks";
import { now } from "../app/clock";
import type { SessionView } from "../app/session_view";
import { timelineOf, type Timeline } from "../model/timeline";
import { duration } from "../text/format";

const kRedrawEvery = 1000;
const kShare = 0.03; // of the time may be spent on it

export function TimelineStrip({ view, onPick }: { view: SessionView; onPick: (key: string) => void }) {
  const drawn = useRef<{ next: number; version: number; timeline: Timeline } | undefined>(undefined);
  void view.version.value;
  const time = now.value;
  const { version, items } = view.conversation;
  if (!drawn.current || (drawn.current.version !== version && (drawn.current.timeline.spans.length === 0 || performance.now() > drawn.current.next))) {
    const begun = performance.now();
    const timeline = timelineOf(items, time);
    const ended = performance.now();
    drawn.current = { next: ended + Math.max(kRedrawEvery, (ended - begun) / kShare), version, timeline };
  }
  const { spans, begun, ended } = drawn.current.timeline;
  return (
    <div class="strip" role="img" aria-label={`Timeline of ${duration(Math.max(0, ended - begun))}`}>
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
