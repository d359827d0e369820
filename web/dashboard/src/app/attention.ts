// The title of the tab, and notifications if the user has allowed them.
import { effect, signal } from "@preact/signals";
import type { Need } from "../model/attention";
import { reasonOf } from "../model/outcome";
import { approvalSummary } from "../text/approval";
import { visibleLine } from "../text/visible";
import { phase } from "./liveness";
import { go, route } from "./router";
import { connection, counts, needs, sessionSignal } from "./store";

const kKey = "oriel.notify";
const stored = (): boolean => {
  try {
    return localStorage.getItem(kKey) === "yes";
  } catch {
    return false;
  }
};

export const canNotify = "Notification" in globalThis;
export const isNotifying = signal(canNotify && Notification.permission === "granted" && stored());

export async function setNotifying(wanted: boolean): Promise<void> {
  isNotifying.value = wanted && canNotify && (await Notification.requestPermission()) === "granted";
  try {
    localStorage.setItem(kKey, isNotifying.value ? "yes" : "no");
  } catch {
    // Storage is blocked: valid for this page only.
  }
}

const kViewTitles: Record<string, string> = {
  "overview": "Overview", "needs-you": "Needs you", "start": "Start", "events": "Events", "import": "Import", "system": "System",
};

const kTitles: Record<Need["kind"], string> = { permission: "Needs you", lost: "Question lost", failed: "Failed", elsewhere: "Waiting in its terminal" };

export function startAttention(): void {
  effect(() => {
    const { needs_you: waiting, working } = counts.value;
    const { view, sessionId } = route.value;
    const name = view === "session" ? visibleLine(sessionSignal(sessionId).value?.title || "Session", 60) : kViewTitles[view]!;
    const parts = [waiting ? `(${waiting}) ` : "", name, working ? ` \u00b7 ${working} working` : "", " \u00b7 Oriel"];
    const isDown = ["reconnecting", "closed", "silent"].includes(phase.value);
    document.title = (isDown ? "\u26a0 " : "") + parts.join("");
  });
  const notified = new Set<string>();
  let isFirst = true;
  effect(() => {
    for (const need of needs.value) {
      if (notified.has(need.key)) continue;
      notified.add(need.key);
      if (isFirst || !isNotifying.peek() || !document.hidden) continue;
      const title = kTitles[need.kind];
      // It only tells: what is allowed is read on the page first.
      const body = need.kind === "permission" ? approvalSummary(need.permission) : visibleLine(reasonOf(need.session) || need.session.title, 120);
      const note = new Notification(`${title}: ${visibleLine(need.session.title || need.session.agent, 60)}`, { body, tag: need.key });
      note.onclick = () => {
        focus();
        go(need.kind === "permission" ? "needs-you" : "session", { sessionId: need.session.session_id });
      };
    }
    if (connection.value.phase === "live") isFirst = false;
  });
}
