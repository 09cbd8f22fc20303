import type { Row } from "../data/types.ts";
import { explain } from "../view/explain.ts";
import { day } from "../view/format.ts";
import { libraryOf } from "../view/matrix.ts";
import { outcomeOf } from "../view/outcome.ts";
import { EmulatedMark, WordChip } from "./outcome_chip.tsx";

function whereText(row: Row): string {
  return [
    row.target,
    row.neuronx_cc && `neuronx-cc ${row.neuronx_cc}`,
    libraryOf(row) && `Transformers ${libraryOf(row)}`,
    row.tested_at && `tested ${day(row.tested_at)}`,
    row.attempts !== undefined && row.attempts > 1 && `${row.attempts} attempts`,
  ]
    .filter(Boolean)
    .join(" · ");
}

/// The answer, in one word and one sentence.
export function VerdictCard({ row }: { row: Row }) {
  const outcome = outcomeOf(row);
  return (
    <section class={`verdict is-${outcome.kind}`} aria-label="Result">
      <p class="verdict-word">
        <WordChip kind={outcome.kind} word={outcome.word} />
        {outcome.emulated && <EmulatedMark />}
        {outcome.detail && <span>{outcome.detail}</span>}
      </p>
      <p class="verdict-sentence">
        {explain(row)}
        {outcome.kind === "excluded" && row.exclusion && ` ${row.exclusion}.`}
      </p>
      {row.notes && <p class="verdict-notes">{row.notes}</p>}
      {whereText(row) && <p class="muted">{whereText(row)}</p>}
    </section>
  );
}
