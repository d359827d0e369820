// Notices that the server does not respond although the stream is open: heartbeats are too rare for that. While nothing arrives, the
// page asks for its health.
import { computed, signal } from "@preact/signals";
import { OrielApi, OrielError } from "@oriel/client";
import { connection, onEvents } from "./store";

const kSilence = 4000; // ms without a sign of life, then it is asked
const kDeadline = 3500; // ms for its response
const kTick = 1000; // ms

const health = new OrielApi({ timeout: kDeadline });
const lastSign = signal(0); // ms since 1970, while the server does not respond; else 0
let heardAt = Date.now();
let isAsking = false;

// The phase of the connection; "silent": the stream is open, but the server does not respond.
export const phase = computed(() => (connection.value.phase === "live" && lastSign.value > 0 ? "silent" : connection.value.phase));
export const silentSince = lastSign;

export function startLiveness(): void {
  onEvents(hear);
  connection.subscribe(hear);
  setInterval(() => void tick(), kTick);
  document.addEventListener("visibilitychange", () => void tick());
}

function hear(): void {
  heardAt = Date.now();
  lastSign.value = 0;
}

async function tick(): Promise<void> {
  if (document.hidden || isAsking || connection.peek().phase !== "live" || Date.now() - heardAt < kSilence) return;
  isAsking = true;
  const before = heardAt;
  try {
    await health.health();
    hear();
  } catch (error) {
    if (error instanceof OrielError && error.status > 0) hear(); // a refusal is a response
    else if (heardAt === before) lastSign.value = heardAt;
  }
  isAsking = false;
}
