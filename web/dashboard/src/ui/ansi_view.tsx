// The output of a tool with the colours of its terminal, one page at a time.
import { useMemo, useState } from "preact/hooks";
import { parseAnsi } from "../text/ansi";
import { truncate } from "../text/visible";
import { CopyButton } from "./copy_button";
import { More } from "./markdown_view";

const kPage = 6000;

export function AnsiView({ text }: { text: string }) {
  const [max, setMax] = useState(kPage);
  const part = truncate(text, max);
  const spans = useMemo(() => parseAnsi(part.shown), [part.shown]);
  return (
    <>
      <div class="code-frame">
        <pre class="code" tabIndex={0}>
          <code>{spans.map(({ text: piece, colour, ground, isBold, isDim, isItalic, isUnderlined }, i) => {
            const marks = [colour && `ansi-${colour}`, ground && `ansi-on-${ground}`, isBold && "ansi-bold", isDim && "ansi-dim", isItalic && "ansi-italic", isUnderlined && "ansi-underlined"].filter(Boolean);
            return marks.length > 0 ? <span key={i} class={marks.join(" ")}>{piece}</span> : piece;
          })}</code>
        </pre>
        <CopyButton text={() => spans.map((span) => span.text).join("")} label="Copy output" />
      </div>
      {part.hidden > 0 && <More hidden={part.hidden} onMore={() => setMax(max * 5)} />}
    </>
  );
}
