import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

/// Time without a keystroke after which a search is asked for; short enough to feel like typing.
const PAUSE_MS = 90;

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/// The search box: asks while one types, `/` from anywhere goes to it, Escape empties it, arrow down leaves it for the rows.
export function SearchBox({ text, onText, onLeave }: { text: string; onText: (text: string) => void; onLeave: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed === text) return;
    const timer = setTimeout(() => onText(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") {
      event.preventDefault();
      onLeave();
    } else if (event.key === "Escape") {
      setTyped("");
    } else if (event.key === "Enter") {
      onText(typed);
    }
  };
  return (
    <div class="search" role="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        value={typed}
        placeholder="Part of a model's name, or a query: cores<=4 is:pass"
        aria-label="Search models"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        maxLength={2000}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  );
}
