// The selection in a list that changes by itself.

// The entry that is selected now. If the selected one has disappeared, the one that followed it takes its place, else the one before.
export function selectionIn(before: readonly string[], now: readonly string[], selected: string): string {
  if (now.includes(selected)) return selected;
  const at = before.indexOf(selected);
  const left = new Set(now);
  const next = before.slice(at + 1).find((key) => left.has(key));
  const previous = before.slice(0, Math.max(0, at)).reverse().find((key) => left.has(key));
  return next ?? previous ?? now[0] ?? "";
}
