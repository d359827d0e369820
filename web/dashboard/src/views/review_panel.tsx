// Comments on lines, which go to the agent as one message.
import { useState } from "preact/hooks";
import { commentsOf } from "../app/changes";
import { sendMessage } from "../app/outbox";
import { may } from "../app/rights";
import { go } from "../app/router";
import { reviewMessage } from "../model/patch";
import { visible, visibleLine } from "../text/visible";
import { plural } from "../text/format";

let commentNumber = 0;

export function CommentForm({ id, path, line, quote, onDone }: { id: string; path: string; line: string; quote: string; onDone: () => void }) {
  const [text, setText] = useState("");
  const add = (): void => {
    if (!text.trim()) return;
    const comments = commentsOf(id);
    comments.value = [...comments.value, { key: String(++commentNumber), path, line, quote, text }];
    onDone();
  };
  return (
    <form class="comment-form" onSubmit={(event) => { event.preventDefault(); add(); }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Escape") onDone();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); add(); }
      }}>
      <label>Comment on <span class="mono">{visibleLine(path, 120)}{line ? `:${line.replace("-", "")}` : ""}</span>
        <textarea rows={2} value={text} ref={(element) => element?.focus()} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <p class="changes-actions">
        <button type="button" class="button" onClick={onDone}>Cancel</button>
        <button type="submit" class="button button-main" disabled={!text.trim()}>Add comment</button>
      </p>
    </form>
  );
}

export function ReviewPanel({ id }: { id: string }) {
  const comments = commentsOf(id);
  if (comments.value.length === 0) return null;
  const send = (): void => {
    sendMessage(id, reviewMessage(comments.value));
    comments.value = [];
    go("session", { sessionId: id });
  };
  return (
    <section class="review" aria-label="Comments">
      <ul>
        {comments.value.map((comment) => (
          <li key={comment.key}>
            <span class="mono dim">{visibleLine(comment.path, 120)}{comment.line ? `:${comment.line.replace("-", "")}` : ""}</span> {visible(comment.text)}
            <button type="button" class="link" onClick={() => { comments.value = comments.value.filter(({ key }) => key !== comment.key); }}>Remove</button>
          </li>
        ))}
      </ul>
      {may("start") && <button type="button" class="button button-main" onClick={send}>Send {plural(comments.value.length, "comment")}</button>}
    </section>
  );
}
