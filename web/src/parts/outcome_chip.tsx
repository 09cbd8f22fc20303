import type { Row } from "../data/types.ts";
import { outcomeOf, type OutcomeKind } from "../view/outcome.ts";
import { Icon } from "./icon.tsx";

/// A result's word, with a drawing and a colour that say the same.
export function WordChip({ kind, word }: { kind: OutcomeKind; word: string }) {
  return (
    <span class={`chip is-${kind}`}>
      <Icon name={kind} />
      {word}
    </span>
  );
}

/// Marks a result of a device that only imitates Trainium.
export function EmulatedMark() {
  return (
    <span class="emulated" title="From a device that imitates Trainium on a CPU. Not a Trainium result.">
      emulated
    </span>
  );
}

/// A row's result: word, what it stands on or where it failed, and whether it is emulated.
export function OutcomeChip({ row }: { row: Row }) {
  const outcome = outcomeOf(row);
  return (
    <span class="outcome">
      <WordChip kind={outcome.kind} word={outcome.word} />
      {outcome.emulated && <EmulatedMark />}
      {outcome.detail && <span class="outcome-detail">{outcome.detail}</span>}
    </span>
  );
}
