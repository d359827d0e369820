// A virtual list: only visible rows are in the document. Heights are estimated until they are measured. Changes above do not move
// the visible rows; at the end, the list follows the end.
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

interface Row {
  readonly key: string;
}

interface Props<T extends Row> {
  items: readonly T[];
  version: number; // increases when items change in place
  estimate: (item: T) => number; // height in px
  render: (item: T, index: number) => ComponentChildren;
  tail?: () => ComponentChildren; // after the last item; called at each rendering of the items
  linked: string; // the key of the item that the address names
  label: string;
  isBusy: boolean;
  onAtEnd: (isAtEnd: boolean) => void;
  handle?: { current: ListHandle | undefined };
}

export interface ListHandle {
  toEnd: () => void;
  toKey: (key: string) => void;
}

const kOverscan = 600; // px rendered beyond the edges
const kNearEnd = 48; // px

export function VirtualList<T extends Row>({ items, estimate, render, tail, linked, label, isBusy, onAtEnd, handle }: Props<T>) {
  const frame = useRef<HTMLDivElement>(null);
  const heights = useRef(new Map<string, number>());
  const offsets = useRef(new Float64Array(1));
  const follows = useRef(true);
  const anchor = useRef<{ key: string; index: number; into: number } | undefined>(undefined);
  const [, redraw] = useState(0);
  const update = useCallback(() => redraw((n) => n + 1), []);

  // The offset of each item; the last entry is the total height.
  const sums = new Float64Array(items.length + 1);
  for (let i = 0; i < items.length; ++i) {
    const item = items[i]!;
    sums[i + 1] = sums[i]! + (heights.current.get(item.key) ?? estimate(item));
  }
  offsets.current = sums;

  const view = frame.current;
  const height = view?.clientHeight ?? 800;
  const total = sums[items.length]!;
  let top = view?.scrollTop ?? 0;
  if (follows.current) top = Math.max(0, total - height);
  else if (anchor.current) top = offsetOf(anchor.current, items, sums) ?? top;
  const first = indexAt(sums, top - kOverscan);
  const last = Math.min(items.length, indexAt(sums, top + height + kOverscan) + 1);

  const observer = useRef<ResizeObserver | undefined>(undefined);
  if (!observer.current && typeof ResizeObserver !== "undefined") {
    observer.current = new ResizeObserver((entries) => {
      let isChanged = false;
      for (const entry of entries) {
        const key = (entry.target as HTMLElement).dataset.key;
        const size = entry.borderBoxSize[0]?.blockSize ?? 0;
        if (key === undefined || size === 0) continue;
        if (Math.abs((heights.current.get(key) ?? -1) - size) < 0.5) continue;
        heights.current.set(key, size);
        isChanged = true;
      }
      if (isChanged) update();
    });
  }
  useEffect(() => () => observer.current?.disconnect(), []);

  const watch = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    observer.current?.observe(element);
  }, []);

  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    if (follows.current) {
      element.scrollTop = element.scrollHeight;
    } else if (anchor.current) {
      const target = offsetOf(anchor.current, items, offsets.current);
      if (target !== undefined && Math.abs(element.scrollTop - target) > 1) element.scrollTop = target;
    }
  });

  const onScroll = useCallback(() => {
    const element = frame.current;
    if (!element) return;
    const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - kNearEnd;
    if (isAtEnd !== follows.current) {
      follows.current = isAtEnd;
      onAtEnd(isAtEnd);
    }
    anchor.current = anchorAt(element.scrollTop, offsets.current, latest.current);
    update();
  }, [onAtEnd]);
  const latest = useRef(items);
  latest.current = items;

  useEffect(() => {
    const element = frame.current;
    if (!element || typeof ResizeObserver === "undefined") return;
    const sizes = new ResizeObserver(update);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, []);

  if (handle) {
    handle.current = {
      toEnd: () => {
        follows.current = true;
        onAtEnd(true);
        update();
      },
      toKey: (key) => {
        const index = latest.current.findIndex((item) => item.key === key);
        if (index < 0) return;
        follows.current = false;
        onAtEnd(false);
        anchor.current = { key, index, into: -40 };
        update();
      },
    };
  }

  const rows: ComponentChildren[] = [];
  for (let i = first; i < last; ++i) {
    const item = items[i]!;
    rows.push(
      <div key={item.key} data-key={item.key} data-linked={item.key === linked || undefined} class="row" role="article" aria-posinset={i + 1} aria-setsize={items.length} ref={watch}>
        {render(item, i)}
      </div>,
    );
  }
  return (
    <div class="scroller" ref={frame} onScroll={onScroll} tabIndex={0} role="region" aria-label={label}>
      <div class="list" role="feed" aria-busy={isBusy} aria-label={label} style={{ height: `${total}px` }}>
        <div class="rows" role="presentation" style={{ transform: `translateY(${sums[first] ?? 0}px)` }}>{rows}</div>
      </div>
      {tail?.()}
    </div>
  );
}

// The last item at or above an offset.
function indexAt(sums: Float64Array, offset: number): number {
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle + 1]! <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function anchorAt<T extends Row>(top: number, sums: Float64Array, items: readonly T[]): { key: string; index: number; into: number } | undefined {
  const index = Math.min(indexAt(sums, top), items.length - 1);
  const item = items[index];
  return item ? { key: item.key, index, into: top - sums[index]! } : undefined;
}

// The scroll offset that keeps the anchor in place.
function offsetOf<T extends Row>(anchor: { key: string; index: number; into: number }, items: readonly T[], sums: Float64Array): number | undefined {
  if (items[anchor.index]?.key !== anchor.key) {
    const index = items.findIndex((item) => item.key === anchor.key);
    if (index < 0) return undefined;
    anchor.index = index;
  }
  return Math.max(0, sums[anchor.index]! + anchor.into);
}
