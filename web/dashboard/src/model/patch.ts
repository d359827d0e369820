// Unified diffs as rows. Pure; the text of a row is as it came.

export interface PatchRow {
  kind: "file" | "hunk" | "same" | "added" | "removed" | "note";
  text: string; // without its sign
  before?: number; // line numbers, if they are known
  after?: number;
}

const kHunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

// Lines of git that name what the rows show anyway.
const kQuiet = /^(diff --git|index |--- |\+\+\+ |new file mode|deleted file mode|old mode|new mode|similarity index|rename from|rename to)/;

export function patchRows(patch: string): PatchRow[] {
  const rows: PatchRow[] = [];
  let before: number | undefined;
  let after: number | undefined;
  let isInHunk = false;
  const lines = patch.endsWith("\n") ? patch.slice(0, -1).split("\n") : patch.split("\n");
  if (patch === "") return rows;
  for (const line of lines) {
    if (line.startsWith("@@")) {
      const found = kHunk.exec(line);
      before = found ? Number(found[1]) : undefined;
      after = found ? Number(found[2]) : undefined;
      isInHunk = true;
      rows.push({ kind: "hunk", text: line });
      continue;
    }
    if (line.startsWith("diff --git ")) isInHunk = false;
    const sign = line[0];
    if (isInHunk && sign === "+") rows.push({ kind: "added", text: line.slice(1), after: after === undefined ? undefined : after++ });
    else if (isInHunk && sign === "-") rows.push({ kind: "removed", text: line.slice(1), before: before === undefined ? undefined : before++ });
    else if (isInHunk && (sign === " " || line === "")) {
      rows.push({ kind: "same", text: line.slice(1), before: before === undefined ? undefined : before++, after: after === undefined ? undefined : after++ });
    } else if (!isInHunk && kQuiet.test(line)) continue;
    else rows.push({ kind: "note", text: line });
  }
  return rows;
}

export interface SplitRow {
  left?: PatchRow;
  right?: PatchRow;
  whole?: PatchRow; // a hunk or note, across both sides
}

// Removed lines beside the added ones that follow them.
export function splitRows(rows: readonly PatchRow[]): SplitRow[] {
  const out: SplitRow[] = [];
  for (let i = 0; i < rows.length; ) {
    const row = rows[i]!;
    if (row.kind === "same") out.push({ left: row, right: row });
    else if (row.kind !== "added" && row.kind !== "removed") out.push({ whole: row });
    if (row.kind !== "added" && row.kind !== "removed") {
      i += 1;
      continue;
    }
    const removed: PatchRow[] = [];
    const added: PatchRow[] = [];
    while (rows[i]?.kind === "removed") removed.push(rows[i++]!);
    while (rows[i]?.kind === "added") added.push(rows[i++]!);
    for (let k = 0; k < Math.max(removed.length, added.length); ++k) out.push({ left: removed[k], right: added[k] });
  }
  return out;
}

export interface LineComment {
  key: string;
  path: string;
  line: string; // "12", "-12" of a removed line; empty: unknown
  quote: string;
  text: string;
}

// One message with all comments, for the agent.
export function reviewMessage(comments: readonly LineComment[]): string {
  const parts = comments.map(({ path, line, quote, text }) => {
    const place = line === "" ? path : line.startsWith("-") ? `${path}, removed line ${line.slice(1)}` : `${path}:${line}`;
    return `${place}\n> ${quote}\n${text.trim()}`;
  });
  return [`Review of your changes: ${comments.length === 1 ? "1 comment" : `${comments.length} comments`}.`, ...parts].join("\n\n");
}
