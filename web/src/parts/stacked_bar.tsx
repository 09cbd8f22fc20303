import type { Part } from "../view/coverage.ts";

/// Shares side by side. The words beside it say the same.
export function StackedBar({ parts }: { parts: Part[] }) {
  let begin = 0;
  return (
    <svg class="coverage-bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
      {parts.map((part) => {
        const x = begin;
        begin += 1000 * part.share;
        return <rect key={part.verdict} class={`fill-${part.kind}`} x={x} width={Math.max(1.5, 1000 * part.share)} height="10" />;
      })}
    </svg>
  );
}
