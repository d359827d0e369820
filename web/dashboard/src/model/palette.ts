// The entries of the command palette, and which of them match what is typed.
export interface Entry {
  key: string;
  group: "Answer" | "Session" | "View" | "Start" | "Search";
  title: string; // safe to show
  detail: string;
  run: () => void;
}

const kMax = 12;

// The entries that contain every typed word; those whose title begins with the text come first.
export function matching(entries: readonly Entry[], text: string): Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = (entry: Entry): number => (words.length > 0 && entry.title.toLowerCase().startsWith(words[0]!) ? 0 : 1);
  const found = entries.filter((entry) => {
    const searched = `${entry.group} ${entry.title} ${entry.detail}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
  return found.map((entry, i) => ({ entry, i })).sort((a, b) => rank(a.entry) - rank(b.entry) || a.i - b.i).slice(0, kMax).map(({ entry }) => entry);
}
