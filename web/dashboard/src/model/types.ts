// What Oriel's REST doors answer, by the names that the page has for its parts.

import type { Permission, Session, Turn } from "@oriel/client";

export type { Answer, Permission, Session, Turn } from "@oriel/client";

export type State = Session["state"];
export type Status = Session["status"];
export type ToolAtWork = NonNullable<Session["tool"]>;
export type Usage = NonNullable<Session["usage"]>;
export type PermissionOption = Permission["options"][number];
export type Question = Permission["questions"][number];
export type TurnFile = Turn["files"][number];
