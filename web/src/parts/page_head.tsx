import type { ComponentChildren } from "preact";

/// The name of a page and one sentence about it.
export function PageHead({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="page-head">
      <h1>{title}</h1>
      {children && <p>{children}</p>}
    </div>
  );
}
