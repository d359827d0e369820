// The icon of what a tool does.
import type { ToolKind } from "../text/tool";
import { Icon } from "./icons";

const kIcons = {
  shell: "terminal", edit: "edit", read: "document", search: "search", web: "globe", plan: "plan", agent: "agent", ask: "question", other: "tool",
} as const satisfies Record<ToolKind, string>;

export function ToolIcon({ kind }: { kind: ToolKind }) {
  return <Icon name={kIcons[kind]} />;
}
