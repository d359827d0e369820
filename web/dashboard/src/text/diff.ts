// Line diffs of edits.

export interface DiffLine {
  kind: "same" | "added" | "removed";
  text: string;
}

export interface FoldedLine {
  kind: DiffLine["kind"] | "skipped";
  text: string; // of a skipped line: the number of lines
}

export interface Edit {
  path: string;
  before: string;
  after: string;
}

const kMaxLines = 1500;
const kContext = 3;

// Every line of both texts.
export function diffOf(before: string, after: string): DiffLine[] {
  const a = before === "" ? [] : before.replace(/\n$/, "").split("\n");
  const b = after === "" ? [] : after.replace(/\n$/, "").split("\n");
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const middle = changed(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  const same = (text: string): DiffLine => ({ kind: "same", text });
  return [...a.slice(0, head).map(same), ...middle, ...a.slice(a.length - tail).map(same)];
}

// By the longest common subsequence, up to kMaxLines.
function changed(a: string[], b: string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: "removed", text });
  const added = (text: string): DiffLine => ({ kind: "added", text });
  if (a.length * b.length === 0 || a.length > kMaxLines || b.length > kMaxLines) return [...a.map(removed), ...b.map(added)];
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; --i) {
    for (let j = b.length - 1; j >= 0; --j) {
      table[i * width + j] = a[i] === b[j] ? table[(i + 1) * width + j + 1]! + 1 : Math.max(table[(i + 1) * width + j]!, table[i * width + j + 1]!);
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: "same", text: a[i]! });
      i += 1;
      j += 1;
    } else if (i < a.length && (j === b.length || table[(i + 1) * width + j]! >= table[i * width + j + 1]!)) {
      lines.push(removed(a[i++]!));
    } else {
      lines.push(added(b[j++]!));
    }
  }
  return lines;
}

// Without the lines far from a change. Approvals leave out nothing.
export function folded(lines: DiffLine[]): FoldedLine[] {
  const isNear = new Uint8Array(lines.length);
  lines.forEach((line, i) => {
    if (line.kind !== "same") isNear.fill(1, Math.max(0, i - kContext), Math.min(lines.length, i + kContext + 1));
  });
  const out: FoldedLine[] = [];
  for (let i = 0; i < lines.length; ++i) {
    if (isNear[i]) {
      out.push(lines[i]!);
      continue;
    }
    let end = i;
    while (end < lines.length && !isNear[end]) end += 1;
    out.push({ kind: "skipped", text: `${end - i} unchanged` });
    i = end - 1;
  }
  return out;
}

type Fields = Record<string, unknown>;
const text = (fields: Fields, ...keys: string[]): string | undefined => {
  for (const key of keys) if (typeof fields[key] === "string") return fields[key] as string;
  return undefined;
};

// The edits in the arguments of a tool, by the keys of known agents.
export function editsOf(args: unknown, toolName: string): Edit[] {
  if (args === null || typeof args !== "object") return [];
  const fields = args as Fields;
  const path = text(fields, "file_path", "path", "filePath", "filename", "target_file") ?? "";
  const list = Array.isArray(fields.edits) ? (fields.edits as Fields[]) : Array.isArray(fields.changes) ? (fields.changes as Fields[]) : [fields];
  const edits: Edit[] = [];
  for (const edit of list) {
    if (edit === null || typeof edit !== "object") continue;
    const before = text(edit, "old_string", "old_str", "oldText", "old_text", "before");
    const after = text(edit, "new_string", "new_str", "newText", "new_text", "after");
    if (before !== undefined || after !== undefined) edits.push({ path: text(edit, "path", "file_path") ?? path, before: before ?? "", after: after ?? "" });
  }
  const content = text(fields, "content", "file_text", "contents");
  if (edits.length === 0 && path && content !== undefined && /write|create/i.test(toolName)) edits.push({ path, before: "", after: content });
  return edits;
}
