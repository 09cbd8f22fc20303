import type { ComponentChildren } from "preact";

/// A titled part of a page. Where parts stand in two columns, a wide one takes both.
export function Card(props: { title: string; wide?: boolean; aside?: ComponentChildren; children: ComponentChildren }) {
  const { title, wide = false, aside, children } = props;
  return (
    <section class={wide ? "card wide" : "card"} aria-label={title}>
      <header class="card-head">
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
