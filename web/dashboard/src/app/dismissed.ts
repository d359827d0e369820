// The failures that the user has dismissed in this browser.
import { signal } from "@preact/signals";

const kKey = "oriel.dismissed";
const kMax = 500;

function stored(): string[] {
  try {
    const keys: unknown = JSON.parse(localStorage.getItem(kKey) ?? "[]");
    return Array.isArray(keys) ? keys.filter((key) => typeof key === "string") : [];
  } catch {
    return [];
  }
}

export const dismissed = signal<ReadonlySet<string>>(new Set(stored()));

export function dismiss(keys: readonly string[]): void {
  const all = [...stored(), ...keys].slice(-kMax); // another tab may have added some
  dismissed.value = new Set(all);
  try {
    localStorage.setItem(kKey, JSON.stringify(all));
  } catch {
    // Storage is blocked: valid for this page only.
  }
}
