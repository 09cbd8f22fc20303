import type { ComponentChildren } from "preact";

/// A calm box that says what is going on: nothing found, something to know, something went wrong.
export function Notice({ kind, title, children }: { kind: "empty" | "info" | "error"; title: string; children?: ComponentChildren }) {
  return (
    <div class={`notice is-${kind}`} role={kind === "error" ? "alert" : "status"}>
      <p class="notice-title">{title}</p>
      {children}
    </div>
  );
}
