// All agents.
import { useComputed } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { chooseLayout, chosenLayout } from "../app/layout";
import { go, route } from "../app/router";
import { counts, isLoaded, loadProblem, projectName, sessions } from "../app/store";
import { kActivities, type Activity } from "../model/attention";
import type { PageSession } from "../model/outcome";
import { defaultLayout, groupsOf, kActivityLabels, kLayouts, readFilter, writeFilter, type Group, type Grouping, type Layout, type OverviewFilter } from "../model/overview_filter";
import { kAskCard, kAskHeight, kCard, kCardHeight, kLine, lineHeightOf, placeColumns, placeGroups, type GroupPlacement, type Place, type Sized } from "../model/placement";
import { addressOf } from "../model/route";
import { visibleLine } from "../text/visible";
import { Icon } from "../ui/icons";
import { ClickGuard, stopClick } from "./click_guard";
import { FirstRun } from "./first_run";
import { isAsking, SessionCard } from "./session_card";
import { SessionLine } from "./session_line";

const kLayoutLabels: Record<Layout, string> = { list: "List", cards: "Cards", board: "Board" };

function change(filter: OverviewFilter, what: Partial<OverviewFilter>): void {
  go("overview", { query: writeFilter({ ...filter, ...what }), replace: true });
}

function Filters({ filter, layout, isOpen }: { filter: OverviewFilter; layout: Layout; isOpen: boolean }) {
  const projects = useComputed(() => [...new Set(sessions.value.map((session) => session.project_id).filter(Boolean))].sort().join("\n")).value;
  const agents = useComputed(() => [...new Set(sessions.value.map((session) => session.agent).filter(Boolean))].sort().join("\n")).value;
  return (
    <form class="filters" role="search" data-open={isOpen || undefined} onSubmit={(event) => event.preventDefault()}>
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
      {layout !== "board" && (
        <select aria-label="Group by" value={filter.grouping} onChange={(event) => change(filter, { grouping: event.currentTarget.value as Grouping })}>
          <option value="state">By state</option>
          <option value="project">By project</option>
        </select>
      )}
      <div class="segments" role="group" aria-label="Layout">
        {kLayouts.map((key) => (
          <button key={key} type="button" aria-pressed={layout === key} onClick={() => { chooseLayout(key); change(filter, { layout: "" }); }}>{kLayoutLabels[key]}</button>
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
  const asked = readFilter(route.value.query);
  const first = useRef<Layout | undefined>(undefined); // decided once, so that the view does not change while sessions start
  if (isLoaded.value) first.current ??= defaultLayout(sessions.value.length);
  const layout = asked.layout || chosenLayout.value || first.current || "cards";
  const groups = groupsOf(sessions.value, { ...asked, layout });
  const isEmpty = groups.every((group) => group.sessions.length === 0);
  const isFiltered = !!(asked.text || asked.project || asked.agent);
  const [isOpen, setOpen] = useState(isFiltered);
  return (
    <div class="page overview" data-empty={(isLoaded.value && sessions.value.length === 0) || undefined}>
      <header class="page-head">
        <h1>Agents</h1>
        <Counts filter={asked} />
        <button type="button" class="button filters-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}><Icon name="filter" />Filter</button>
        <Filters filter={asked} layout={layout} isOpen={isOpen} />
      </header>
      {loadProblem.value && <p class="banner banner-bad" role="alert">Loading sessions failed: {loadProblem.value}</p>}
      {isEmpty && (layout !== "board" || sessions.value.length === 0) ? <Empty filter={asked} /> : (
        <Groups groups={groups} layout={layout} isByProject={asked.grouping === "project" && layout !== "board"} />
      )}
    </div>
  );
}

let lastWidth = 0; // of the groups, so that the next visit is placed at once
const askHeights = new Map<string, number>(); // px, of the cards that ask, by session

function Groups({ groups, layout, isByProject }: { groups: readonly Group[]; layout: Layout; isByProject: boolean }) {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(lastWidth);
  const [, redraw] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => setWidth((lastWidth = frame.current!.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, []);
  // A question is as high as what it says.
  useLayoutEffect(() => {
    const observer = new ResizeObserver((entries) => {
      for (const { target } of entries) askHeights.set((target as HTMLElement).dataset.sessionId!, (target as HTMLElement).offsetHeight);
      redraw((n) => n + 1);
    });
    for (const card of frame.current!.querySelectorAll(".card[data-asks]")) observer.observe(card);
    return () => observer.disconnect();
  }, [width > 0, layout, groups.flatMap((group) => group.sessions.filter(isAsking).map((session) => session.session_id)).join()]);
  const sizedOf = (session: PageSession): Sized => {
    if (isAsking(session)) return { shape: kAskCard, height: askHeights.get(session.session_id) ?? kAskHeight };
    return layout === "list" ? { shape: kLine, height: lineHeightOf(width) } : { shape: kCard, height: kCardHeight };
  };
  const [guard] = useState(() => new ClickGuard(() => redraw((n) => n + 1)));
  const sized = groups.map((group) => group.sessions.map(sizedOf));
  const placement = layout === "board" ? placeColumns(sized, width) : placeGroups(sized, width);
  return (
    <div class="groups" data-layout={layout} data-by={isByProject ? "project" : "state"} ref={frame}>
      {width > 0 && (
        <div class="placed" style={{ height: `${placement.height}px`, width: `${placement.width}px` }}>
          {groups.map((group, i) => [
            <GroupHead key={`head/${group.key}`} group={group} place={placement.groups[i]!} isProject={isByProject} />,
            ...group.sessions.map((session, j) => {
              const id = session.session_id;
              const place = placement.groups[i]!.places[j]!;
              if (!isAsking(session)) {
                return (
                  <div key={id} class="card-place" data-group={group.key} style={styleOf(place, `${sized[i]![j]!.height}px`)}>
                    {layout === "list" ? <SessionLine id={id} /> : <SessionCard id={id} />}
                  </div>
                );
              }
              const isNew = guard.isNew(id, `${place.x},${place.y},${session.permissions[0]!.permission_id}`);
              return <div key={id} class="card-place" data-group={group.key} data-new={isNew || undefined} style={styleOf(place, "auto")} onClickCapture={isNew ? stopClick : undefined}><SessionCard id={id} /></div>;
            }),
          ]).flat()}
        </div>
      )}
    </div>
  );
}

// What moves, also to another group, is not drawn again.
function styleOf({ x, y, width }: Place, height: string): Record<string, string> {
  return { transform: `translate(${x}px, ${y}px)`, width: `${width}px`, height };
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
  return <FirstRun />;
}
