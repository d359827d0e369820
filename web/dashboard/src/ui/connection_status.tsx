// The state of the connection, as a line in the sidebar and as a banner.
import type { ConnectionState } from "@oriel/client";
import { now } from "../app/clock";
import { phase, silentSince } from "../app/liveness";
import { connection, gap, retryNow } from "../app/store";
import { elapsed, plural } from "../text/format";
import { Icon } from "./icons";

export function connectionText(state: ConnectionState, time: number): string {
  switch (state.phase) {
    case "connecting": return "connecting";
    case "catching_up": return `catching up, ${plural(state.remaining, "event")}`;
    case "live": return "live";
    case "reconnecting": {
      const seconds = Math.ceil((state.at - time) / 1000);
      return seconds > 0 ? `reconnecting in ${seconds} s` : "reconnecting";
    }
    case "closed": return state.status === 401 ? "login required" : state.reason ? "rejected" : "closed";
  }
}

export function ConnectionStatus() {
  const state = connection.value;
  const isSilent = phase.value === "silent";
  const text = isSilent ? "not responding" : connectionText(state, state.phase === "reconnecting" ? now.value : 0);
  const reason = state.phase === "reconnecting" || state.phase === "closed" ? (state.reason ?? "") : "";
  return (
    <div class="connection" data-phase={phase.value} title={reason}>
      <span class="connection-dot" aria-hidden="true" />
      <span class="connection-text" role="status" aria-live="polite">{text}</span>
      {isSilent && <span aria-hidden="true">for {elapsed(now.value - silentSince.value)}</span>}
      {state.phase === "reconnecting" && <button type="button" class="link" onClick={retryNow}>Retry now</button>}
    </div>
  );
}

// Warns that the page is not up to date.
export function ConnectionBanner() {
  const state = connection.value;
  const lost = gap.value;
  return (
    <>
      {state.phase === "reconnecting" && state.attempt > 1 && (
        <p class="banner banner-warn">
          Not connected: {state.reason || "no response"}. Showing the last known state.
        </p>
      )}
      {phase.value === "silent" && <p class="banner banner-warn">The server does not respond. Showing the last known state.</p>}
      {state.phase === "closed" && state.reason && (
        <p class="banner banner-bad">The server rejected the stream: {state.reason}. {state.hint}</p>
      )}
      {lost && (
        <p class="banner banner-warn">
          {lost.missed === null ? "Some events are" : `${plural(lost.missed, "event")} ${lost.missed === 1 ? "is" : "are"}`} no longer stored. The page has been updated.
          <button type="button" class="icon-button" aria-label="Dismiss" onClick={() => { gap.value = null; }}><Icon name="close" /></button>
        </p>
      )}
    </>
  );
}
