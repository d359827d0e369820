// Search in all sessions.
import { useComputed } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { SearchResult } from "@oriel/client";
import { now } from "../app/clock";
import { go, route } from "../app/router";
import { search, searchFor, searchMore, type Search as Found } from "../app/search";
import { projectName, sessions } from "../app/store";
import { timeOf } from "../model/position";
import { piecesOf, readSearch, sourceOf, writeSearch, type SearchFilter } from "../model/search";
import { ago, plural } from "../text/format";
import { visible, visibleLine } from "../text/visible";

const kTypes: [string, string][] = [
  ["", "Everything"], ["message", "Messages"], ["tool_call", "Tools"], ["tool_result", "Results"], ["error", "Errors"], ["title", "Titles"],
];
const kTimes: [number, string][] = [[0, "Any time"], [1, "Last 24 hours"], [7, "Last 7 days"], [30, "Last 30 days"]];

function change(filter: SearchFilter, what: Partial<SearchFilter>): void {
  go("search", { query: writeSearch({ ...filter, ...what }), replace: true });
}

function Filters({ filter }: { filter: SearchFilter }) {
  const field = useRef<HTMLInputElement>(null);
  const projects = useComputed(() => [...new Set(sessions.value.map((session) => session.project_id).filter(Boolean))].sort().join("\n")).value;
  const agents = useComputed(() => [...new Set(sessions.value.map((session) => session.agent).filter(Boolean))].sort().join("\n")).value;
  useEffect(() => {
    if (!filter.text) field.current?.focus();
  }, []);
  return (
    <form class="filters" role="search" onSubmit={(event) => { event.preventDefault(); linksOf(event.currentTarget)[0]?.focus(); }}>
      <input ref={field} id="filter-text" type="search" placeholder={'Words, "a phrase", prefix*'} aria-label="Search all sessions" maxLength={500} value={filter.text}
        autocomplete="off" spellcheck={false} onInput={(event) => change(filter, { text: event.currentTarget.value })} />
      <select aria-label="Type" value={filter.type} onChange={(event) => change(filter, { type: event.currentTarget.value })}>
        {kTypes.map(([type, label]) => <option key={type} value={type}>{label}</option>)}
      </select>
      <select aria-label="Time" value={String(filter.days)} onChange={(event) => change(filter, { days: Number(event.currentTarget.value) })}>
        {kTimes.map(([days, label]) => <option key={days} value={String(days)}>{label}</option>)}
      </select>
      <select aria-label="Project" value={filter.project} onChange={(event) => change(filter, { project: event.currentTarget.value })}>
        <option value="">All projects</option>
        {projects.split("\n").filter(Boolean).map((name) => <option key={name} value={name}>{visibleLine(projectName(name), 40)}</option>)}
      </select>
      <select aria-label="Agent" value={filter.agent} onChange={(event) => change(filter, { agent: event.currentTarget.value })}>
        <option value="">All agents</option>
        {agents.split("\n").filter(Boolean).map((name) => <option key={name} value={name}>{name}</option>)}
      </select>
    </form>
  );
}

function statusOf({ phase, results, cursor, pending }: Found): string {
  if (phase === "empty") return "";
  if (phase === "running" && results.length === 0) return "Searching";
  const number = results.length === 0 ? "Nothing found" : `${plural(results.length, "result")}${cursor ? " so far" : ""}`;
  return pending > 0 ? `${number}. ${plural(pending, "new event")} not searched yet` : number;
}

function Result({ result }: { result: SearchResult }) {
  const where = [result.agent, result.project_id ? projectName(result.project_id) : "", ago(now.value - timeOf(result.timestamp))].filter(Boolean).join(" \u00b7 ");
  return (
    <li>
      <a class="found" href={result.link.startsWith("#/") ? result.link : undefined}>
        <span class="found-head"><span class="found-title" dir="auto">{visibleLine(result.title, 100) || "Untitled"}</span><span class="found-where">{visibleLine(where, 80)}</span></span>
        <span class="found-text" dir="auto">
          <span class="found-source">{visibleLine(sourceOf(result), 40)}</span>
          {piecesOf(result).map((piece, i) => (piece.isFound ? <mark key={i}>{visible(piece.text)}</mark> : visible(piece.text)))}
        </span>
      </a>
    </li>
  );
}

const linksOf = (inside: Element): HTMLElement[] => [...(inside.closest(".search")?.querySelectorAll<HTMLElement>("a.found") ?? [])];

// The arrows move between the field and the results.
function onKeyDown(event: KeyboardEvent): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const target = event.target as HTMLElement;
  if (step === 0 || event.altKey || event.ctrlKey || event.metaKey || target instanceof HTMLSelectElement) return;
  const stops = [document.getElementById("filter-text")!, ...linksOf(target)];
  stops[stops.indexOf(target) + step]?.focus();
  event.preventDefault();
}

export function Search() {
  const filter = readSearch(route.value.query);
  const address = writeSearch(filter).toString();
  useEffect(() => searchFor(filter), [address]);
  const found = search.value;
  return (
    <div class="page search" onKeyDown={onKeyDown}>
      <header class="page-head"><h1>Search</h1><span class="dim" role="status">{statusOf(found)}</span><Filters filter={filter} /></header>
      {found.phase === "failed" && <p class="banner banner-bad" role="alert">{visible(found.problem)}</p>}
      {found.phase === "empty" && <div class="empty"><p class="empty-title">Search all sessions</p><p>Messages, tools and their results, errors and titles.</p></div>}
      {found.results.length > 0 && (
        <ol class="found-list" aria-label="Results" aria-busy={found.phase === "running"}>
          {found.results.map((result, i) => <Result key={`${i}/${result.sequence ?? result.link}`} result={result} />)}
        </ol>
      )}
      {found.cursor && <p><button type="button" class="button" disabled={found.phase === "running"} onClick={searchMore}>Show more</button></p>}
    </div>
  );
}
