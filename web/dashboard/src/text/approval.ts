// A permission request as rows: nothing that the agent sent is left out, and nothing in it is invisible.
import type { Permission, PermissionOption } from "@oriel/client";
import { diffOf } from "./diff";
import { exact } from "./exact";

export interface Row {
  kind: "field" | "text" | "same" | "added" | "removed";
  label: string; // of a field: its path, such as input.command
  text: string; // of a field, empty if its text is in the rows below
}

export interface ApprovalView {
  title: string; // one line; a longer title is also in the rows
  rows: Row[];
}

// Only so many rows are shown at first, and nothing is allowed before the rest is opened.
export const kFoldRows = 40;

const kTitleLength = 120;
const kRowLength = 160; // a longer line goes on in the next row

// The names that agents have for the text before and after an edit.
const kEditNames = [["oldText", "newText"], ["old_string", "new_string"], ["old_str", "new_str"], ["old_text", "new_text"]] as const;

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields => value !== null && typeof value === "object" && !Array.isArray(value);

const pathOf = (path: string, key: string): string => (/^[\w-]+$/.test(key) ? `${path}.${key}` : `${path}[${exact(JSON.stringify(key))}]`);

// A line break at the end ends the last line; it begins no empty one.
const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

// Pieces of at most kRowLength characters, all but the first one with a mark.
function wrapped(text: string): string[] {
  if (text.length <= kRowLength) return [text];
  const characters = [...text];
  const pieces: string[] = [];
  for (let i = 0; i < characters.length; i += kRowLength) pieces.push((i === 0 ? "" : "\u21aa ") + characters.slice(i, i + kRowLength).join(""));
  return pieces;
}

class RowWriter {
  rows: Row[] = [];
  hasTitle = false; // a field ends the title, so that the title says nothing more than its beginning

  constructor(private title: string) {}

  write(path: string, value: unknown): void {
    if (Array.isArray(value) && value.length > 0) value.forEach((each, i) => this.write(`${path}[${i}]`, each));
    else if (isFields(value) && Object.keys(value).length > 0) this.#writeFields(path, value);
    else if (typeof value === "string" && value !== "") this.writeText(path, value);
    else this.#add("field", JSON.stringify(value), path);
  }

  writeText(path: string, text: string): void {
    this.#noteTitle(text);
    const shown = exact(text);
    if (!text.includes("\n") && shown.length <= kRowLength) return this.#add("field", shown, path);
    this.#add("field", "", path);
    for (const line of linesOf(text)) this.#addBody("text", line);
  }

  #writeFields(path: string, fields: Fields): void {
    const names = kEditNames.find(([before, after]) => {
      const [old, now] = [fields[before], fields[after]];
      return before in fields && typeof now === "string" && (old === null || typeof old === "string") && (now !== "" || (old !== "" && old !== null));
    });
    if (names) this.#writeEdit(path, names, fields[names[0]] as string | null, fields[names[1]] as string);
    for (const [key, value] of Object.entries(fields)) if (!names?.some((name) => name === key)) this.write(pathOf(path, key), value);
  }

  #writeEdit(path: string, [before, after]: readonly [string, string], oldText: string | null, newText: string): void {
    this.#add("field", `${before}${oldText === null ? " (null)" : ""} \u2192 ${after}`, path);
    let [old, now] = [oldText ?? "", newText];
    const kMark = "\u27e8no line break\u27e9";
    if (old && now && old.endsWith("\n") !== now.endsWith("\n")) [old, now] = old.endsWith("\n") ? [old, now + kMark] : [old + kMark, now];
    // Nothing is left out, because the agent wrote both sides: an unchanged line may be the dangerous one.
    for (const { kind, text } of diffOf(old, now)) this.#addBody(kind, text);
  }

  #addBody(kind: Row["kind"], line: string): void {
    for (const piece of wrapped(exact(line))) this.#add(kind, piece);
  }

  #add(kind: Row["kind"], text: string, label = ""): void {
    this.rows.push({ kind, label, text });
  }

  #noteTitle(text: string): void {
    if (text === "" || !this.title.endsWith(text)) return;
    const rest = this.title.slice(0, -text.length);
    this.hasTitle ||= !rest.includes("\n") && exact(rest).length < kTitleLength;
  }
}

export function approvalOf({ title, input, details }: Pick<Permission, "title" | "input" | "details">): ApprovalView {
  const writer = new RowWriter(title);
  if (input !== null && input !== undefined) writer.write("input", input);
  if (details !== null && details !== undefined) writer.write("details", details);
  const line = exact(title.split("\n", 1)[0]!);
  const isWhole = !title.includes("\n") && line.length <= kTitleLength;
  if (isWhole) return { title: line, rows: writer.rows };
  const whole = new RowWriter("");
  whole.writeText("title", title);
  return { title: `${[...line].slice(0, kTitleLength).join("")}\u2026`, rows: writer.hasTitle ? writer.rows : [...whole.rows, ...writer.rows] };
}

const kSigns = { field: "", text: "  \u2502 ", same: "    ", added: "  + ", removed: "  - " } as const;

// The row as a line: "input.command: ls", "  + added".
export function rowText(row: Row): string {
  return row.kind === "field" ? `${row.label}:${row.text ? ` ${row.text}` : ""}` : kSigns[row.kind] + row.text;
}

// What an option allows from now on, in lines. Empty for one that decides this request only.
export function scopeLines(option: PermissionOption): string[] {
  if (option.kind !== "allow_always") return [];
  if (!option.scope) return [`later requests, as the agent understands "${exact(option.label)}"`];
  return option.scope.split("\n").map(exact);
}

// For a notification: what is asked, its first field, and how much more there is to see.
export function approvalSummary(permission: Permission): string {
  const { title, rows } = approvalOf(permission);
  const lines = [title];
  const first = rows.findIndex((row) => row.kind !== "field" || row.text !== "");
  if (first >= 0) lines.push(rows.slice(0, first + 1).map((row) => rowText(row).trim()).join(" ").slice(0, kRowLength));
  const more = rows.length - first - 1;
  if (more > 0) lines.push(`${more} more ${more === 1 ? "line" : "lines"} on the page`);
  return lines.join("\n");
}
