// The newest events of the stream, including those of services.
import { useState } from "preact/hooks";
import { received, tail } from "../app/store";
import { timeOf } from "../model/position";
import { addressOf } from "../model/route";
import { clock, plural } from "../text/format";
import { visibleLine } from "../text/visible";

const kShown = 200;

export function Events() {
  const [filter, setFilter] = useState("");
  const [hasDeltas, setDeltas] = useState(false);
  const [paused, setPaused] = useState<typeof tail.value | undefined>();
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const all = paused ?? tail.value;
  const shown = all.filter((event) => {
    if (!hasDeltas && event.type === "delta") return false;
    const searched = `${event.event} ${event.type} ${event.session_id} ${event.project_id ?? ""} ${event.tool_name} ${event.text.slice(0, 500)}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  }).slice(-kShown).reverse();
  return (
    <div class="page events">
      <header class="page-head">
        <h1>Events</h1>
        <span class="dim">{plural(received.value, "event")} received</span>
        <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
          <input id="filter-text" type="search" placeholder="Filter  /" aria-label="Filter events" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
          <label class="switch"><input type="checkbox" checked={hasDeltas} onChange={(event) => setDeltas(event.currentTarget.checked)} /> Text deltas</label>
          <button type="button" class="button" aria-pressed={!!paused} onClick={() => setPaused(paused ? undefined : tail.value)}>{paused ? "Resume" : "Pause"}</button>
        </form>
      </header>
      {shown.length === 0 && <div class="empty"><p class="empty-title">No events yet</p><p>Publish one: <code>oriel publish hello_world --text "Hello"</code></p></div>}
      <ol class="event-list" aria-label="Events, newest first">
        {shown.map((event) => (
          <li key={event.id}>
            <time dateTime={event.timestamp}>{clock(timeOf(event.timestamp))}</time>
            <span class="event-name" data-type={event.type}>{visibleLine(event.event === "session_event" ? event.type : event.event, 40)}</span>
            {event.session_id && event.session_id.length > 0 && <a class="mono dim" href={addressOf("session", { sessionId: event.session_id })}>{visibleLine(event.session_id, 24)}</a>}
            <span class="event-text" dir="auto">{visibleLine(event.text || (event.data === undefined ? "" : JSON.stringify(event.data)), 300)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
