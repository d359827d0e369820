// The layout of the overview that the user has chosen in this browser.
import { signal } from "@preact/signals";
import { kLayouts, type Layout } from "../model/overview_filter";

const kKey = "oriel.layout";

function stored(): Layout | "" {
  try {
    return kLayouts.find((known) => known === localStorage.getItem(kKey)) ?? "";
  } catch {
    return "";
  }
}

export const chosenLayout = signal(stored()); // empty: none

export function chooseLayout(layout: Layout): void {
  chosenLayout.value = layout;
  try {
    localStorage.setItem(kKey, layout);
  } catch {
    // Storage is blocked: valid for this page only.
  }
}
