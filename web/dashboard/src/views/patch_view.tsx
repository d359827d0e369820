// The diff of one file: unified or in two columns. Only visible lines are in the document. Arrow keys move the current line, Enter
// comments on it.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { FileChange } from "@oriel/client";
import { chooseSplit, commentsOf, wantsSplit, type ChangesState } from "../app/changes";
import { may } from "../app/rights";
import { patchRows, splitRows, type PatchRow, type SplitRow } from "../model/patch";
import { highlight, languageOfPath } from "../text/highlight";
import { visible, visibleLine } from "../text/visible";
import { CommentForm } from "./review_panel";

const kRow = 20; // px, as in changes.css
const kOverscan = 30; // rows
const kMaxColumns = 1000; // characters of a line

interface Props {
  state: ChangesState;
  file: FileChange;
  canComment: boolean;
}

export function PatchView({ state, file, canComment }: Props) {
  const diff = state.diffOf(file.path).value;
  const isSplit = wantsSplit.value && matchMedia("(min-width: 761px)").matches;
  return (
    <section class="patch" aria-label={`Diff of ${visibleLine(file.path, 200)}`}>
      <header class="patch-head">
        <h2 class="mono">{file.old_path ? `${visibleLine(file.old_path, 200)} \u2192 ` : ""}{visibleLine(file.path, 200)}</h2>
        <div class="segments patch-form" role="group" aria-label="Form of the diff">
          <button type="button" aria-pressed={!isSplit} onClick={() => chooseSplit(false)}>Unified</button>
          <button type="button" aria-pressed={isSplit} onClick={() => chooseSplit(true)}>Split</button>
        </div>
      </header>
      {diff.phase === "loading" && <p class="changes-note" role="status">Loading</p>}
      {diff.phase === "failed" && <p class="changes-note bad" role="alert">Not loaded: {diff.problem}</p>}
      {diff.phase === "loaded" && (
        <>
          {diff.value.is_masked && <p class="changes-note">Secrets are masked.</p>}
          {diff.value.is_truncated && <p class="changes-note">The diff is too long: only its beginning is shown.</p>}
          <Lines id={state.id} file={file} patch={diff.value.patch} isSplit={isSplit} canComment={canComment && may("start")} />
        </>
      )}
    </section>
  );
}

interface LinesProps {
  id: string;
  file: FileChange;
  patch: string;
  isSplit: boolean;
  canComment: boolean;
}

function Lines({ id, file, patch, isSplit, canComment }: LinesProps) {
  const unified = useMemo(() => patchRows(patch), [patch]);
  const rows = useMemo<SplitRow[]>(() => (isSplit ? splitRows(unified) : unified.map((row) => ({ whole: row }))), [unified, isSplit]);
  const columns = useMemo(() => Math.min(kMaxColumns, unified.reduce((most, row) => Math.max(most, row.text.length), 0)) + 2, [unified]);
  const frame = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const [current, setCurrent] = useState(-1);
  const [isCommenting, setCommenting] = useState(false);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => setCurrent(-1), [isSplit]);
  const row = current < 0 ? undefined : shownRow(rows[current]);
  const isLine = !!row && (row.kind === "same" || row.kind === "added" || row.kind === "removed");
  const move = (to: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, to));
    setCurrent(next);
    const element = frame.current;
    if (!element) return;
    if (next * kRow < element.scrollTop) element.scrollTop = next * kRow;
    else if ((next + 1) * kRow > element.scrollTop + element.clientHeight) element.scrollTop = (next + 1) * kRow - element.clientHeight;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(height / kRow) - 1);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -rows.length, End: rows.length };
    const step = steps[event.key];
    if (step !== undefined) move(current + step);
    else if (event.key === "Enter" && isLine && canComment) setCommenting(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const first = Math.max(0, Math.floor(top / kRow) - kOverscan);
  const last = Math.min(rows.length, Math.ceil((top + height) / kRow) + kOverscan);
  const language = languageOfPath(file.path);
  const commented = new Set(commentsOf(id).value.filter((comment) => comment.path === file.path).map((comment) => comment.line));
  if (rows.length === 0) return <p class="changes-note">{file.binary ? "A binary file." : "No lines have changed."}</p>;
  return (
    <>
      <div class="patch-lines" data-split={isSplit || undefined} ref={frame} tabIndex={0} role="group" aria-label={`${rows.length} lines; the arrow keys move, Enter comments`}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)} onKeyDown={onKeyDown}>
        <div class="patch-all" style={{ height: `${rows.length * kRow}px`, minWidth: `calc(${isSplit ? columns * 2 : columns}ch + ${isSplit ? 140 : 130}px)` }}>
          {rows.slice(first, last).map((item, i) => (
            <div key={first + i} class="patch-row" data-current={first + i === current || undefined} style={{ top: `${(first + i) * kRow}px` }} onClick={() => setCurrent(first + i)}>
              {isSplit && !item.whole
                ? <><Side row={item.left} side="before" language={language} marks={commented} /><Side row={item.right} side="after" language={language} marks={commented} /></>
                : <Side row={item.whole} side="both" language={language} marks={commented} />}
            </div>
          ))}
        </div>
      </div>
      <p class="sr-only" role="status">{row ? `${row.kind}${lineOf(row) ? ` line ${lineOf(row)}` : ""}: ${visibleLine(row.text, 200)}` : ""}</p>
      {isLine && canComment && !isCommenting && (
        <div class="patch-foot"><button type="button" class="button" onClick={() => setCommenting(true)}>Comment on {lineOf(row) ? `line ${lineOf(row).replace("-", "")}` : "this line"}</button></div>
      )}
      {isLine && isCommenting && (
        <CommentForm id={id} path={file.path} line={lineOf(row)} quote={`${kSigns[row.kind]}${visibleLine(row.text, 300)}`}
          onDone={() => { setCommenting(false); frame.current?.focus(); }} />
      )}
    </>
  );
}

const kSigns: Record<PatchRow["kind"], string> = { file: "", hunk: "", note: "", same: " ", added: "+", removed: "-" };

// Of a row in two columns, what it is about: the new line if there is one.
function shownRow(row: SplitRow | undefined): PatchRow | undefined {
  return row?.whole ?? row?.right ?? row?.left;
}

function lineOf(row: PatchRow): string {
  if (row.kind === "removed") return row.before === undefined ? "" : `-${row.before}`;
  return row.after === undefined ? "" : String(row.after);
}

function Side({ row, side, language, marks }: { row: PatchRow | undefined; side: "before" | "after" | "both"; language: string; marks: ReadonlySet<string> }) {
  if (!row) return <span class="patch-side patch-none" />;
  const text = visible(row.text.slice(0, kMaxColumns)).replaceAll("\n", "\u2424");
  const isCode = row.kind === "same" || row.kind === "added" || row.kind === "removed";
  const hasComment = lineOf(row) !== "" && marks.has(lineOf(row));
  return (
    <span class={`patch-side patch-${row.kind}`}>
      {side !== "after" && <span class="patch-number">{row.before ?? ""}</span>}
      {side !== "before" && <span class="patch-number">{row.after ?? ""}</span>}
      <span class="patch-sign">{hasComment ? "\u25cf" : kSigns[row.kind]}</span>
      <span class="patch-text" dir="ltr">
        {isCode ? highlight(text, language).map((token, i) => (token.kind ? <span key={i} class={`tok-${token.kind}`}>{token.text}</span> : token.text)) : text}
        {row.text.length > kMaxColumns && <span class="dim"> {row.text.length - kMaxColumns} more characters</span>}
      </span>
    </span>
  );
}
