// All agents.
import { useComputed } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { may } from "../app/rights";
import { go, route } from "../app/router";
import { counts, isLoaded, loadProblem, projectName, sessions } from "../app/store";
import { kActivities, type Activity } from "../model/attention";
import { groupsOf, kActivityLabels, readFilter, writeFilter, type Group, type Grouping, type OverviewFilter } from "../model/overview_filter";
import { kCardHeight, placeColumns, placeGroups, type GroupPlacement, type Place } from "../model/placement";
import { addressOf } from "../model/route";
import { visibleLine } from "../text/visible";
import { SessionCard } from "./session_card";

const kGroupings: { key: Grouping; label: string }[] = [
  { key: "state", label: "By state" }, { key: "board", label: "Board" }, { key: "project", label: "By project" },
];

function change(filter: OverviewFilter, what: Partial<OverviewFilter>): void {
  go("overview", { query: writeFilter({ ...filter, ...what }), replace: true });
}

function Filters({ filter }: { filter: OverviewFilter }) {
  const projects = useComputed(() => [...new Set(sessions.value.map((session) => session.project_id).filter(Boolean))].sort().join("\n")).value;
  const agents = useComputed(() => [...new Set(sessions.value.map((session) => session.agent).filter(Boolean))].sort().join("\n")).value;
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <input id="filter-text" type="search" placeholder="Filter  /" aria-label="Filter by text" value={filter.text}
        onInput={(event) => change(filter, { text: event.currentTarget.value })} />
      <select aria-label="Project" value={filter.project} onChange={(event) => change(filter, { project: event.currentTarget.value })}>
        <option value="">All projects</option>
        {projects.split("\n").filter(Boolean).map((name) => <option key={name} value={name}>{visibleLine(projectName(name), 40)}</option>)}
      </select>
      <select aria-label="Agent" value={filter.agent} onChange={(event) => change(filter, { agent: event.currentTarget.value })}>
        <option value="">All agents</option>
        {agents.split("\n").filter(Boolean).map((name) => <option key={name} value={name}>{name}</option>)}
      </select>
      <div class="segments" role="group" aria-label="Groups">
        {kGroupings.map(({ key, label }) => (
          <button key={key} type="button" aria-pressed={filter.grouping === key} onClick={() => change(filter, { grouping: key })}>{label}</button>
        ))}
      </div>
    </form>
  );
}

function Counts({ filter }: { filter: OverviewFilter }) {
  return (
    <div class="counts" role="group" aria-label="Filter by state">
      {kActivities.map((activity: Activity) => (
        <button key={activity} type="button" class="count" data-activity={activity} aria-pressed={filter.activity === activity}
          onClick={() => change(filter, { activity: filter.activity === activity ? "" : activity })}>
          <span class="count-number">{counts.value[activity]}</span> <span class="count-label">{kActivityLabels[activity]}</span>
        </button>
      ))}
    </div>
  );
}

export function Overview() {
  const filter = readFilter(route.value.query);
  const groups = groupsOf(sessions.value, filter);
  const isEmpty = groups.every((group) => group.sessions.length === 0);
  return (
    <div class="page overview">
      <header class="page-head">
        <h1>Agents</h1>
        <Counts filter={filter} />
        <Filters filter={filter} />
      </header>
      {loadProblem.value && <p class="banner banner-bad" role="alert">Loading sessions failed: {loadProblem.value}</p>}
      {isEmpty && filter.grouping !== "board" ? <Empty filter={filter} /> : (
        <Groups groups={groups} grouping={filter.grouping} />
      )}
    </div>
  );
}

let lastWidth = 0; // of the cards, so that the next visit is placed at once

function Groups({ groups, grouping }: { groups: readonly Group[]; grouping: Grouping }) {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(lastWidth);
  useLayoutEffect(() => {
    const measure = (): void => setWidth((lastWidth = frame.current!.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, []);
  const counts = groups.map((group) => group.sessions.length);
  const placement = grouping === "board" ? placeColumns(counts, width) : placeGroups(counts, width);
  return (
    <div class="groups" data-grouping={grouping} ref={frame}>
      {width > 0 && (
        <div class="placed" style={{ height: `${placement.height}px`, width: `${placement.width}px` }}>
          {groups.map((group, i) => [
            <GroupHead key={`head/${group.key}`} group={group} place={placement.groups[i]!} isProject={grouping === "project"} />,
            ...group.sessions.map(({ session_id: id }, j) => (
              <div key={id} class="card-place" data-group={group.key} style={styleOf(placement.groups[i]!.cards[j]!, placement.cardWidth)}><SessionCard id={id} /></div>
            )),
          ]).flat()}
        </div>
      )}
    </div>
  );
}

// A card that moves, also to another group, is not drawn again.
function styleOf({ x, y }: Place, width: number): Record<string, string> {
  return { transform: `translate(${x}px, ${y}px)`, width: `${width}px`, height: `${kCardHeight}px` };
}

function GroupHead({ group, place: { x, y, width, height }, isProject }: { group: Group; place: GroupPlacement; isProject: boolean }) {
  return (
    <div class="group-head" style={{ transform: `translate(${x}px, ${y}px)`, width: `${width}px`, height: `${height}px` }}>
      <h2>{visibleLine(isProject ? projectName(group.title) : group.title, 60)} <span class="group-count">{group.sessions.length}</span></h2>
    </div>
  );
}

function Empty({ filter }: { filter: OverviewFilter }) {
  if (!isLoaded.value) return <p class="empty" aria-busy="true">Loading</p>;
  const isFiltered = filter.text || filter.project || filter.agent || filter.activity;
  if (isFiltered) {
    return <p class="empty">No matching agents. <a href={addressOf("overview")}>Show all</a></p>;
  }
  return (
    <div class="empty">
      <p class="empty-title">No agents yet</p>
      {may("start") && <p><a class="button button-main" href={addressOf("start")}>Start an agent</a></p>}
      <p>In a terminal: <code>oriel send "search never"</code></p>
      <p>To observe your own agents: <code>oriel hooks install</code></p>
    </div>
  );
}
