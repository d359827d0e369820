// The arguments of a tool as a summary and as indented JSON.

export function parseArguments(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const kSummaryKeys = ["command", "cmd", "file_path", "path", "filePath", "pattern", "query", "url", "word", "description", "prompt", "directory"];

// The most important argument, such as a command, path or query.
export function summaryOf(args: unknown, text: string): string {
  if (args === null || typeof args !== "object") return text;
  const fields = args as Record<string, unknown>;
  for (const key of kSummaryKeys) {
    const value = fields[key];
    if (typeof value === "string" && value !== "") return value;
    if (Array.isArray(value) && value.every((word) => typeof word === "string")) return value.join(" ");
  }
  const first = Object.values(fields).find((value) => typeof value === "string" && value !== "");
  return typeof first === "string" ? first : Object.keys(fields).length === 0 ? "" : text;
}

// The command that a tool runs; empty if it runs none.
export function commandOf(args: unknown): string {
  if (args === null || typeof args !== "object") return "";
  const { command, cmd } = args as Record<string, unknown>;
  const value = command ?? cmd;
  return typeof value === "string" ? value : Array.isArray(value) ? value.join(" ") : "";
}

export function readable(value: unknown): string {
  if (typeof value === "string") return value;
  return JSON.stringify(value, null, 2) ?? "";
}
