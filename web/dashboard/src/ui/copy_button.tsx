// Copies a text as it is shown: with symbols for what would be invisible, so that nothing hides in what is pasted.
import { useEffect, useState } from "preact/hooks";
import { Icon } from "./icons";

const kShown = 1500; // ms

export function CopyButton({ text, label, icon = "copy" }: { text: () => string; label: string; icon?: "copy" | "link" }) {
  const [state, setState] = useState<"" | "copied" | "failed">("");
  useEffect(() => {
    if (!state) return;
    const timer = setTimeout(() => setState(""), kShown);
    return () => clearTimeout(timer);
  }, [state]);
  const onClick = (): void => void copy(text()).then(() => setState("copied"), () => setState("failed"));
  const name = state === "copied" ? "Copied" : state === "failed" ? "Copying failed" : label;
  return (
    <button type="button" class="icon-button copy" aria-label={name} title={name} data-state={state || undefined} onClick={onClick}>
      <Icon name={state === "copied" ? "check" : state === "failed" ? "close" : icon} />
    </button>
  );
}

// Pages that are neither HTTPS nor loopback have no clipboard, but may copy a selection.
export async function copy(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (!isCopied) throw new Error("not copied");
}
