import type { Outcome } from "../data/types.ts";
import { evidenceText, kindOf, wordOf } from "../view/outcome.ts";
import { WordChip } from "./outcome_chip.tsx";

/// One side of a comparison.
export function OutcomeText({ outcome }: { outcome: Outcome }) {
  const detail = evidenceText(outcome.evidence) || [outcome.stage, outcome.class.replaceAll("_", " ")].filter(Boolean).join(": ");
  return (
    <span class="outcome">
      <WordChip kind={kindOf(outcome.verdict)} word={wordOf(outcome.verdict)} />
      {detail && <span class="outcome-detail">{detail}</span>}
    </span>
  );
}
