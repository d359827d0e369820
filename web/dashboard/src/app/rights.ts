// What the user of this page may do: what they may not is not offered.
import { signal } from "@preact/signals";
import type { Me } from "@oriel/client";
import { api, connection } from "./store";

type Scope = "answer" | "start" | "admin";

export const me = signal<Me | undefined>(undefined); // undefined until the server has said it

// Allowed until it is known, as for the operator, who may do everything.
export function may(scope: Scope): boolean {
  return me.value?.scopes.includes(scope) ?? true;
}

// Repeated with each connection: another login may have other rights.
export function startRights(): void {
  let wasLive = false;
  connection.subscribe(({ phase }) => {
    const isLive = phase === "live" || phase === "catching_up";
    if (isLive && !wasLive) void load();
    wasLive = isLive;
  });
}

async function load(): Promise<void> {
  try {
    me.value = await api.me();
  } catch {
    // The server refuses what is not allowed.
  }
}
