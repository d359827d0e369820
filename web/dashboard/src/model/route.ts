// The route of the page in the fragment of the URL, such as "#/sessions/ID" or "#/?project=shop&state=working".

export type View = "overview" | "needs-you" | "session" | "start" | "search" | "events" | "import" | "system";

export interface Route {
  view: View;
  sessionId: string;
  query: URLSearchParams;
}

const kViews: readonly View[] = ["needs-you", "start", "search", "events", "import", "system"];

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const parts = path.split("/").map(decode).filter(Boolean);
  const route: Route = { view: "overview", sessionId: "", query: new URLSearchParams(query) };
  if (parts[0] === "sessions" && parts[1]) return { ...route, view: "session", sessionId: parts[1] };
  const view = kViews.find((known) => known === parts[0]);
  return view ? { ...route, view } : route;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function addressOf(view: View, options: { sessionId?: string; query?: URLSearchParams } = {}): string {
  const path = view === "overview" ? "" : view === "session" ? `sessions/${encodeURIComponent(options.sessionId ?? "")}` : view;
  const query = options.query?.toString();
  return `#/${path}${query ? `?${query}` : ""}`;
}
