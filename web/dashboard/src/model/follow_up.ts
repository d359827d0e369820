// The first message of a session that continues where another one stopped, perhaps by another agent or on another node.
import type { Item } from "./items";

const kMaxItem = 2000; // characters of one message
const kMaxHistory = 12000; // characters of all of them

// Without the newest messages the agent could not continue, so the oldest ones are left out.
export function followUpPrompt(workspace: string, items: readonly Item[]): string {
  const lines: string[] = [];
  let length = 0;
  let isWhole = true;
  for (let i = items.length - 1; i >= 0; --i) {
    const line = lineOf(items[i]!);
    if (!line) continue;
    length += line.length;
    if (length > kMaxHistory) {
      isWhole = false;
      break;
    }
    lines.unshift(line);
  }
  return [
    "Continue the work of an earlier session.",
    `Its working directory was ${workspace}. Check the current state of the files before you change anything.`,
    `The conversation so far${isWhole ? "" : ", without its oldest messages"}:`,
    ...lines,
    "Continue with the last request.",
  ].join("\n\n");
}

function lineOf(item: Item): string {
  switch (item.kind) {
    case "message": return item.text.trim() && `${item.role === "user" ? "User" : "Agent"}: ${shortened(item.text.trim())}`;
    case "completion": return item.status === "completed" ? "" : `(The task ended: ${item.status}${item.detail && `, ${shortened(item.detail)}`})`;
    default: return "";
  }
}

// The end of a long text has its conclusions.
function shortened(text: string): string {
  if (text.length <= kMaxItem) return text;
  return `${text.slice(0, kMaxItem / 4)} [...] ${text.slice(-kMaxItem * 3 / 4)}`;
}
