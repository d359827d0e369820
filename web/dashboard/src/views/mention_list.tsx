// The paths that complete a mention in a message.
import { useEffect, useState } from "preact/hooks";
import { api } from "../app/store";
import type { Mention } from "../model/mention";
import { visibleLine } from "../text/visible";
import { Icon } from "../ui/icons";

const kDelay = 120; // ms without a key
const kShown = 8;

export const kMentionList = "mention-list";
export const mentionId = (i: number): string => `mention-${i}`;

// The paths for a mention; empty while there is none.
export function useMentionPaths(sessionId: string, mention: Mention | undefined): readonly string[] {
  const [found, setFound] = useState<readonly string[]>([]);
  const typed = mention?.typed;
  useEffect(() => {
    if (typed === undefined) return setFound([]);
    let isStale = false;
    const timer = setTimeout(() => {
      api.paths(sessionId, { match: typed, limit: kShown }).then(({ paths }) => !isStale && setFound(paths), () => !isStale && setFound([])); // it is only a help
    }, kDelay);
    return () => { isStale = true; clearTimeout(timer); };
  }, [sessionId, typed]);
  return mention ? found : [];
}

interface Props {
  paths: readonly string[];
  selected: number;
  onPick: (path: string) => void;
}

export function MentionList({ paths, selected, onPick }: Props) {
  return (
    <ul id={kMentionList} class="mentions" role="listbox" aria-label="Files of the workspace">
      {paths.map((path, i) => (
        <li key={path} id={mentionId(i)} role="option" aria-selected={i === selected} onPointerDown={(event) => { event.preventDefault(); onPick(path); }}>
          <Icon name={path.endsWith("/") ? "folder" : "document"} /><span class="mono" dir="ltr">{visibleLine(path, 200)}</span>
        </li>
      ))}
    </ul>
  );
}
