// The keys that answer questions: 1 to 9 the selected one, j and k select another one. After the selection has changed by itself, no
// key answers for a moment: it was meant for the question that was there before.
import { useEffect, useRef, useState } from "preact/hooks";
import { selectionIn } from "../model/selection";
import { isTyping } from "../ui/keys";

const kGuard = 300; // ms

export type KeyState = "off" | "soon" | "on";

interface AnswerKeys {
  selected: string;
  keysOf: (key: string) => KeyState; // whether the keys answer this question
  select: (key: string) => void;
}

export function useAnswerKeys(keys: readonly string[], onMove?: (key: string) => void): AnswerKeys {
  const last = useRef<{ keys: readonly string[]; selected: string }>({ keys: [], selected: "" });
  const [armed, setArmed] = useState("");
  const selected = selectionIn(last.current.keys, keys, last.current.selected);
  last.current = { keys, selected };
  useEffect(() => {
    const timer = setTimeout(() => setArmed(selected), kGuard);
    return () => clearTimeout(timer);
  }, [selected]);
  const select = (key: string): void => {
    if (key === last.current.selected) return;
    last.current.selected = key;
    setArmed(key);
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
      const move = event.key === "j" ? 1 : event.key === "k" ? -1 : 0;
      if (move !== 0 && keys.length > 0) {
        const next = keys[Math.min(keys.length - 1, Math.max(0, keys.indexOf(last.current.selected) + move))]!;
        select(next);
        onMove?.(next);
        event.preventDefault();
      } else if (/^[1-9]$/.test(event.key) && !event.repeat) {
        document.querySelector<HTMLButtonElement>(`.ask[data-keys="on"] [data-answer-key="${event.key}"]`)?.click();
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [keys.join("\n")]);
  const keysOf = (key: string): KeyState => (key !== selected ? "off" : armed === selected ? "on" : "soon");
  return { selected, keysOf, select };
}
