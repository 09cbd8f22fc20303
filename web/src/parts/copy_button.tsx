import { useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

type State = "ready" | "copied" | "refused";
const WORDS: Record<State, string> = { ready: "Copy", copied: "Copied", refused: "Not allowed" };

/// Browsers offer the clipboard only to secure pages; elsewhere the old command still works.
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

/// Copies a text and says so. `label` tells screen readers what is copied.
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [state, setState] = useState<State>("ready");
  const onClick = async () => {
    setState((await copy(text)) ? "copied" : "refused");
    setTimeout(() => setState("ready"), 1600);
  };
  return (
    <button type="button" class="button small" onClick={onClick} aria-label={`${WORDS[state]}: ${label}`}>
      <Icon name={state === "copied" ? "check" : "copy"} />
      <span aria-live="polite">{WORDS[state]}</span>
    </button>
  );
}
