// Renders Markdown as nodes. Text becomes text nodes; long texts are truncated and shown on request.
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { count } from "../text/format";
import { highlight } from "../text/highlight";
import { CopyButton } from "./copy_button";
import { parseMarkdown, type Block, type Inline } from "../text/markdown";
import { truncate, visible } from "../text/visible";

const kPage = 24_000;

export function MarkdownView({ text }: { text: string }) {
  const [max, setMax] = useState(kPage);
  const part = truncate(text, max);
  const blocks = useMemo(() => parseMarkdown(visible(part.shown)), [part.shown]);
  return (
    <div class="markdown" dir="auto">
      {blocks.map(blockNode)}
      {part.hidden > 0 && <More hidden={part.hidden} onMore={() => setMax(max * 4)} />}
    </div>
  );
}

export function More({ hidden, onMore }: { hidden: number; onMore: () => void }) {
  return <button type="button" class="more" onClick={onMore}>Show more ({count(hidden)} characters)</button>;
}

function blockNode(block: Block, key: number): ComponentChildren {
  switch (block.kind) {
    case "paragraph": return <p key={key}>{block.children.map(inlineNode)}</p>;
    case "heading": return <p key={key} class={`heading heading-${block.level}`} role="heading" aria-level={Math.min(6, block.level + 2)}>{block.children.map(inlineNode)}</p>;
    case "code": return <Code key={key} text={block.text} language={block.language} />;
    case "quote": return <blockquote key={key}>{block.children.map(blockNode)}</blockquote>;
    case "rule": return <hr key={key} />;
    case "list": {
      const items = block.items.map((item, i) => <li key={i}>{item.map((inner, j) => (inner.kind === "paragraph" ? <span key={j}>{inner.children.map(inlineNode)}</span> : blockNode(inner, j)))}</li>);
      return block.isOrdered ? <ol key={key} start={block.start}>{items}</ol> : <ul key={key}>{items}</ul>;
    }
    case "table":
      return (
        <div key={key} class="table-frame" role="region" aria-label="Table" tabIndex={0}>
          <table>
            <thead><tr>{block.head.map((cell, i) => <th key={i}>{cell.map(inlineNode)}</th>)}</tr></thead>
            <tbody>{block.rows.slice(0, 500).map((row, i) => <tr key={i}>{row.map((cell, j) => <td key={j}>{cell.map(inlineNode)}</td>)}</tr>)}</tbody>
          </table>
        </div>
      );
  }
}

function inlineNode(node: Inline, key: number): ComponentChildren {
  if (typeof node === "string") return node;
  switch (node.kind) {
    case "code": return <code key={key}>{node.text}</code>;
    case "strong": return <strong key={key}>{node.children.map(inlineNode)}</strong>;
    case "em": return <em key={key}>{node.children.map(inlineNode)}</em>;
    case "strike": return <s key={key}>{node.children.map(inlineNode)}</s>;
    case "link": return <a key={key} href={node.href} title={node.href} target="_blank" rel="noopener noreferrer nofollow">{node.children.map(inlineNode)}</a>;
  }
}

export function Code({ text, language }: { text: string; language: string }) {
  const tokens = useMemo(() => highlight(text, language), [text, language]);
  return (
    <div class="code-frame">
      <pre class="code" tabIndex={0} data-language={language || undefined}>
        <code>{tokens.map((token, i) => (token.kind === "" ? token.text : <span key={i} class={`tok-${token.kind}`}>{token.text}</span>))}</code>
      </pre>
      <CopyButton text={() => text} label="Copy code" />
    </div>
  );
}

// Plain text, one page at a time.
export function Plain({ text, language = "" }: { text: string; language?: string }) {
  const [max, setMax] = useState(6000);
  const part = truncate(text, max);
  return (
    <>
      <Code text={part.shown} language={language} />
      {part.hidden > 0 && <More hidden={part.hidden} onMore={() => setMax(max * 5)} />}
    </>
  );
}
