import type { HistoryLine, Transition } from "../data/types.ts";
import { conclusionOf } from "../view/history.ts";
import { evidenceText, kindOf, wordOf } from "../view/outcome.ts";
import { plural } from "../view/format.ts";
import { WordChip } from "./outcome_chip.tsx";

function Step({ transition }: { transition: Transition }) {
  const detail = evidenceText(transition.evidence) || [transition.stage, transition.class.replaceAll("_", " ")].filter(Boolean).join(": ");
  const range = transition.results > 1 ? `${transition.first_stack} to ${transition.last_stack}, ${plural(transition.results, "result")}` : transition.first_stack;
  return (
    <li class={`step is-${kindOf(transition.verdict)}`}>
      <WordChip kind={kindOf(transition.verdict)} word={wordOf(transition.verdict)} />
      {detail && <span class="outcome-detail">{detail}</span>}
      <span class="muted step-range">{range}</span>
    </li>
  );
}

/// What changed from stack to stack, old to new. Only changes are shown.
export function HistoryLines({ lines }: { lines: HistoryLine[] }) {
  return (
    <>
      {lines.map((line) => (
        <div key={`${line.target} ${line.fixed}`} class="history-line">
          <p>
            <b>{conclusionOf(line)}</b>
            <span class="muted">
              {" "}
              {line.target}, {line.fixed}
            </span>
          </p>
          <ol class="steps">
            {line.transitions.map((transition) => (
              <Step key={transition.first_stack} transition={transition} />
            ))}
          </ol>
        </div>
      ))}
    </>
  );
}
