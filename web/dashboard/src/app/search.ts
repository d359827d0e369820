// The search that the page shows: at most one request at a time counts, the one for the newest filter.
import { signal } from "@preact/signals";
import type { SearchQuery, SearchResult } from "@oriel/client";
import { queryOf, type SearchFilter } from "../model/search";
import { api, errorText } from "./store";

export interface Search {
  phase: "empty" | "running" | "done" | "failed"; // empty: there is nothing to search for
  results: SearchResult[]; // those of the search before while the next one runs
  cursor: string | null;
  pending: number; // new events that are not searched yet
  problem: string;
}

const kNothing: Search = { phase: "empty", results: [], cursor: null, pending: 0, problem: "" };
const kPause = 120; // ms without a key, before the server is asked

export const search = signal<Search>(kNothing);

let newest = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let query: SearchQuery | undefined;

export function searchFor(filter: SearchFilter): void {
  newest += 1;
  clearTimeout(timer);
  query = queryOf(filter, Date.now());
  if (!query) {
    search.value = kNothing;
    return;
  }
  search.value = { ...search.peek(), phase: "running" };
  timer = setTimeout(() => void run(newest, []), kPause);
}

export function searchMore(): void {
  const { cursor, phase, results } = search.peek();
  if (!query || !cursor || phase === "running") return;
  newest += 1;
  search.value = { ...search.peek(), phase: "running" };
  void run(newest, results, cursor);
}

async function run(number: number, before: SearchResult[], cursor?: string): Promise<void> {
  try {
    const found = await api.search(cursor ? { ...query!, cursor } : query!);
    if (number !== newest) return;
    search.value = { phase: "done", results: [...before, ...found.results], cursor: found.cursor, pending: found.pending_events, problem: "" };
  } catch (error) {
    if (number === newest) search.value = { ...search.peek(), phase: "failed", problem: errorText(error) };
  }
}
