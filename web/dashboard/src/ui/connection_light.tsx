// What the page knows of its own freshness, in honest words.
import type { ConnectionState } from "@oriel/client";
import { now } from "../app/clock";
import { connection, gap, retryNow } from "../app/store";
import { plural } from "../text/format";
import { Icon } from "./icons";

export function connectionWords(state: ConnectionState, time: number): string {
  switch (state.phase) {
    case "connecting": return "connecting";
    case "catching_up": return `catching up, ${plural(state.remaining, "event")}`;
    case "live": return "live";
    case "reconnecting": {
      const seconds = Math.ceil((state.at - time) / 1000);
      return seconds > 0 ? `reconnecting in ${seconds} s` : "reconnecting";
    }
    case "closed": return state.status === 401 ? "needs a token" : state.reason ? "refused" : "closed";
  }
}

export function ConnectionLight() {
  const state = connection.value;
  const words = connectionWords(state, state.phase === "reconnecting" ? now.value : 0);
  const reason = state.phase === "reconnecting" || state.phase === "closed" ? (state.reason ?? "") : "";
  return (
    <div class="light" data-phase={state.phase} title={reason}>
      <span class="light-dot" aria-hidden="true" />
      <span class="light-words" role="status" aria-live="polite">{words}</span>
      {state.phase === "reconnecting" && <button type="button" class="link" onClick={retryNow}>now</button>}
    </div>
  );
}

// Across the page: what a person has to know before believing what is shown.
export function ConnectionBanner() {
  const state = connection.value;
  const told = gap.value;
  return (
    <>
      {state.phase === "reconnecting" && state.attempt > 1 && (
        <p class="banner banner-warn">
          Not connected: {state.reason || "no answer"}. What you see is as it was; nothing is lost, it goes on by itself.
        </p>
      )}
      {state.phase === "closed" && state.reason && (
        <p class="banner banner-bad">The server refuses the stream: {state.reason}. {state.hint}</p>
      )}
      {told && (
        <p class="banner banner-warn">
          {told.missed === null ? "Some events" : plural(told.missed, "event")} could not be had: the server no longer holds {told.missed === 1 ? "it" : "them"}. What is shown was fetched anew.
          <button type="button" class="icon-button" aria-label="Dismiss" onClick={() => { gap.value = null; }}><Icon name="close" /></button>
        </p>
      )}
    </>
  );
}
