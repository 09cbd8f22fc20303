import type { Coverage } from "../data/types.ts";
import { partsOf } from "../view/coverage.ts";
import { exactCount, percent } from "../view/format.ts";
import { Icon } from "./icon.tsx";
import { StackedBar } from "./stacked_bar.tsx";

/// What share of a list's downloads works, and one button per verdict that keeps only its models.
export function CoverageBar(props: { coverage: Coverage; chosen: string; onChoose: (verdict: string) => void }) {
  const parts = partsOf(props.coverage);
  return (
    <section class="coverage" aria-label="What share works">
      <p class="coverage-sentence">
        Models behind <b>{percent(props.coverage.pass_share_of_downloads)}</b> of this list’s downloads pass.
        <span class="muted"> {exactCount(props.coverage.models)} models; untested ones count too.</span>
      </p>
      <StackedBar parts={parts} />
      <div class="legend" role="group" aria-label="Show only">
        {parts.map((part) => (
          <button
            key={part.verdict}
            type="button"
            class={`legend-item is-${part.kind}`}
            aria-pressed={props.chosen === part.verdict}
            onClick={() => props.onChoose(props.chosen === part.verdict ? "" : part.verdict)}
          >
            <Icon name={part.kind} />
            {part.word} <b>{exactCount(part.models)}</b>
          </button>
        ))}
      </div>
    </section>
  );
}
