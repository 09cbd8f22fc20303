import { CopyButton } from "./copy_button.tsx";
import { tokens } from "../view/python.ts";

/// A command or a few lines to copy.
export function Command({ text, label }: { text: string; label: string }) {
  return (
    <div class="command">
      <pre tabIndex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}

/// A Python script in colours. It scrolls by itself, so it takes the keyboard's focus.
export function PythonCode({ script, label }: { script: string; label: string }) {
  return (
    <pre class="python" tabIndex={0} aria-label={label}>
      <code>
        {tokens(script).map((token, i) => (token.kind === "plain" ? token.text : <span key={i} class={`py-${token.kind}`}>{token.text}</span>))}
      </code>
    </pre>
  );
}
