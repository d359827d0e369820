// A tool call: what it does in one line; opened, its command, edits or fields, and its output.
import { useMemo, useState } from "preact/hooks";
import { useTime } from "../app/clock";
import { sessionSignal } from "../app/store";
import type { ToolItem } from "../model/items";
import { approvalOf } from "../text/approval";
import { commandOf, parseArguments, readable } from "../text/arguments";
import { editsOf, type Edit } from "../text/diff";
import { duration, elapsed } from "../text/format";
import { languageOfPath } from "../text/highlight";
import { changeOf, gistOf, kindOfTool, type ToolKind } from "../text/tool";
import { visible, visibleLine } from "../text/visible";
import { AnsiView } from "../ui/ansi_view";
import { CopyButton } from "../ui/copy_button";
import { Plain } from "../ui/markdown_view";
import { ToolIcon } from "../ui/tool_icon";
import { AskRows } from "./ask_panel";
import { DiffView } from "./diff_view";

interface Props {
  sessionId: string;
  item: ToolItem;
  isOpen: boolean;
  onToggle: (key: string) => void;
}

export function Tool({ sessionId, item, isOpen, onToggle }: Props) {
  const args = useMemo(() => parseArguments(item.args), [item.args]);
  const edits = useMemo(() => editsOf(args, item.name), [args, item.name]);
  const kind = edits.length > 0 ? "edit" : kindOfTool(item.name, args);
  return (
    <div class="tool" data-status={item.status} data-kind={kind} data-tool-call-id={item.toolCallId}>
      <button type="button" class="tool-head" aria-expanded={isOpen} onClick={() => onToggle(item.key)}>
        <span class="tool-icon"><ToolIcon kind={kind} /></span>
        <span class="tool-name">{visibleLine(item.name, 60)}</span>
        <span class="tool-summary mono" dir="ltr">{gistOf(kind, args, item.args, sessionSignal(sessionId).peek()?.workspace)}</span>
        {edits.length > 0 && <ChangeCount edits={edits} />}
        <span class="sr-only">{item.status === "running" ? "running" : item.status === "ok" ? "done" : "failed"}</span>
        {item.status === "running" ? <RunningFor since={item.startedAt} /> : item.durationMs >= 0 && <span class="tool-time">{duration(item.durationMs)}</span>}
      </button>
      {isOpen && <ToolBody item={item} args={args} edits={edits} kind={kind} />}
    </div>
  );
}

function ChangeCount({ edits }: { edits: readonly Edit[] }) {
  const { added, removed } = useMemo(() => changeOf(edits), [edits]);
  return <span class="tool-change"><span class="diff-added">+{added}</span> <span class="diff-removed">{"\u2212"}{removed}</span></span>;
}

function RunningFor({ since }: { since: number }) {
  return <span class="tool-time">{elapsed(useTime() - since)}</span>;
}

interface BodyProps {
  item: ToolItem;
  args: unknown;
  edits: readonly Edit[];
  kind: ToolKind;
}

function ToolBody({ item, args, edits, kind }: BodyProps) {
  const [isRaw, setRaw] = useState(false);
  const hasArguments = item.args !== "" && item.args !== "{}" && item.args !== "null";
  return (
    <div class="tool-body">
      {hasArguments && (
        <>
          <h4 class="tool-body-head">{isRaw ? "Arguments" : kind === "shell" ? "Command" : edits.length > 0 ? "Changes" : "Arguments"}
            {args !== undefined && <button type="button" class="link" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>{isRaw ? "Formatted" : "Raw"}</button>}
          </h4>
          {isRaw || args === undefined || item.args.length > kMaxArguments
            ? <Plain text={visible(args === undefined ? item.args : readable(args))} language={args === undefined ? "" : "json"} />
            : <Arguments args={args} edits={edits} />}
        </>
      )}
      {item.status !== "running" && (
        <>
          <h4>{item.status === "error" ? "Failed" : "Output"}</h4>
          {item.output ? <Output text={item.output} kind={kind} args={args} /> : <p class="dim">No output</p>}
        </>
      )}
    </div>
  );
}

const kMaxRows = 60;

function Arguments({ args, edits }: { args: unknown; edits: readonly Edit[] }) {
  const [isWhole, setWhole] = useState(false);
  const command = commandOf(args);
  const rows = useMemo(() => (command || edits.length > 0 ? [] : fieldsOf(args)), [args]);
  if (edits.length > 0) return <>{edits.map((edit, i) => <DiffView key={i} edit={edit} />)}</>;
  if (command) {
    return (
      <div class="code-frame command">
        <pre class="code" tabIndex={0}><code><span class="command-sign" aria-hidden="true">$ </span>{visible(command.slice(0, kMaxCommand))}{command.length > kMaxCommand && "\u2026"}</code></pre>
        <CopyButton text={() => visible(command)} label="Copy command" />
      </div>
    );
  }
  return (
    <>
      <AskRows rows={isWhole ? rows : rows.slice(0, kMaxRows)} />
      {rows.length > kMaxRows && !isWhole && <button type="button" class="more" onClick={() => setWhole(true)}>Show {rows.length - kMaxRows} more lines</button>}
    </>
  );
}

const kMaxCommand = 20_000;
const kMaxArguments = 200_000; // characters; longer ones are raw, one page at a time

function fieldsOf(args: unknown): ReturnType<typeof approvalOf>["rows"] {
  const { rows } = approvalOf({ title: "", input: args });
  return rows.map((row) => ({ ...row, label: row.label.replace(/^input\.?/, "") || "arguments" }));
}

// A file is shown as it is, with symbols for what is invisible; everything else as its terminal would, without what moves the cursor.
function Output({ text, kind, args }: { text: string; kind: ToolKind; args: unknown }) {
  if (kind !== "read") return <AnsiView text={text} />;
  const fields = args !== null && typeof args === "object" ? (args as Record<string, unknown>) : {};
  return <Plain text={visible(text)} language={languageOfPath(String(fields.path ?? fields.file_path ?? ""))} />;
}
