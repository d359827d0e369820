import { useMemo } from "preact/hooks";
import { diffOf, folded, type Edit } from "../text/diff";
import { visible } from "../text/visible";

const kMaxLines = 400;
const kSigns = { same: " ", added: "+", removed: "-", skipped: "\u22ef" } as const;

export function DiffView({ edit }: { edit: Edit }) {
  const lines = useMemo(() => folded(diffOf(visible(edit.before.slice(0, 200_000)), visible(edit.after.slice(0, 200_000)))), [edit.before, edit.after]);
  const added = lines.filter((line) => line.kind === "added").length;
  const removed = lines.filter((line) => line.kind === "removed").length;
  return (
    <figure class="diff">
      <figcaption><span class="mono" dir="ltr">{visible(edit.path)}</span> <span class="diff-added">+{added}</span> <span class="diff-removed">{"\u2212"}{removed}</span></figcaption>
      <pre tabIndex={0}>
        {lines.slice(0, kMaxLines).map((line, i) => (
          <span key={i} class={`diff-line diff-${line.kind}`}><span class="diff-sign" aria-hidden="true">{kSigns[line.kind]}</span>{line.text.slice(0, 2000)}{"\n"}</span>
        ))}
        {lines.length > kMaxLines && <span class="diff-line diff-skipped">{lines.length - kMaxLines} more lines{"\n"}</span>}
      </pre>
    </figure>
  );
}
