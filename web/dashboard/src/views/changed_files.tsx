// The changed files by directory. Arrow keys move between files.
import { useMemo, useRef } from "preact/hooks";
import type { FileChange } from "@oriel/client";
import { visibleLine } from "../text/visible";

interface Props {
  files: readonly FileChange[];
  count: number; // of all
  selected: string;
  onSelect: (path: string) => void;
}

const kMarks = { added: "A", modified: "M", deleted: "D", renamed: "R" } as const;

export function ChangedFiles({ files, count, selected, onSelect }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const groups = useMemo(() => byDirectory(files), [files]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    const buttons = [...(list.current?.querySelectorAll<HTMLButtonElement>(".changed-file") ?? [])].filter((button) => button.offsetParent);
    const next = buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + step];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
    next.click();
  };
  return (
    <div role="navigation" class="changed-files" aria-label="Changed files" ref={list} onKeyDown={onKeyDown}>
      {groups.map(([directory, inside]) => (
        <details key={directory} open>
          <summary class="mono">{directory === "" ? "./" : visibleLine(directory, 200)}</summary>
          <ul>
            {inside.map((file) => (
              <li key={file.path}>
                <button type="button" class="changed-file" aria-current={file.path === selected ? "true" : undefined} data-path={file.path} onClick={() => onSelect(file.path)}>
                  <span class={`change-mark change-${file.status}`} title={file.status} aria-label={file.status} role="img">{kMarks[file.status] ?? "M"}</span>
                  <span class="change-name mono" title={visibleLine(file.old_path ? `${file.old_path} \u2192 ${file.path}` : file.path, 400)}>{visibleLine(nameOf(file.path), 120)}</span>
                  {file.binary
                    ? <span class="dim">binary</span>
                    : <span class="change-counts"><span class="diff-added">+{file.added}</span> <span class="diff-removed">{"\u2212"}{file.removed}</span></span>}
                </button>
              </li>
            ))}
          </ul>
        </details>
      ))}
      {count > files.length && <p class="changes-note">{count - files.length} more files are not listed.</p>}
    </div>
  );
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1) || path;

function byDirectory(files: readonly FileChange[]): [string, FileChange[]][] {
  const groups = new Map<string, FileChange[]>();
  for (const file of files) {
    const directory = file.path.slice(0, file.path.lastIndexOf("/") + 1);
    const group = groups.get(directory);
    if (group) group.push(file);
    else groups.set(directory, [file]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}
