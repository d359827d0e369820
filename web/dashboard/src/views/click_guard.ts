// Where each question is, and since when: a click answers nothing for a moment after another one has come below the pointer.
const kGuard = 300; // ms

export class ClickGuard {
  private readonly last = new Map<string, { what: string; at: number }>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly redraw: () => void) {}

  // Returns whether the question has just come to this place.
  isNew(id: string, what: string): boolean {
    const now = performance.now();
    if (this.last.get(id)?.what !== what) {
      this.last.set(id, { what, at: now });
      clearTimeout(this.timer);
      this.timer = setTimeout(this.redraw, kGuard + 1);
    }
    return now - this.last.get(id)!.at <= kGuard;
  }
}

// Clicks of the keyboard pass: the focus moves with its button.
export function stopClick(event: MouseEvent): void {
  const isByPointer = event.detail > 0;
  if (!isByPointer) return;
  event.preventDefault();
  event.stopPropagation();
}
