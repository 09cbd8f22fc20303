import type { Row } from "../data/types.ts";
import { modelUrl } from "../route/route.ts";
import { libraryOf, type Matrix } from "../view/matrix.ts";
import { outcomeOf } from "../view/outcome.ts";
import { EmulatedMark, WordChip } from "./outcome_chip.tsx";

function Cell({ row, shown }: { row: Row | undefined; shown: Row | undefined }) {
  if (!row) return <span class="muted">untested</span>;
  const outcome = outcomeOf(row);
  const stack = { target: row.target ?? "trn2", compiler: row.neuronx_cc ?? "", library: libraryOf(row) };
  return (
    <a href={modelUrl(row.model_id, stack)} aria-current={row === shown ? "true" : undefined} class="matrix-cell">
      <WordChip kind={outcome.kind} word={outcome.word} />
      {outcome.detail && <span class="outcome-detail">{outcome.detail}</span>}
    </a>
  );
}

/// A model's results on one target: neuronx-cc downwards, Transformers across. The cell that the page tells of is marked.
export function VerdictMatrix({ matrix, shown }: { matrix: Matrix; shown: Row | undefined }) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={`Results on ${matrix.target}`}>
      <table class="matrix">
        <caption>
          {matrix.target} {matrix.emulated && <EmulatedMark />}
        </caption>
        <thead>
          <tr>
            <th scope="col">neuronx-cc</th>
            {matrix.libraries.map((library) => (
              <th key={library} scope="col">
                Transformers {library}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {matrix.compilers.map((compiler, i) => (
            <tr key={compiler}>
              <th scope="row">{compiler || "none"}</th>
              {matrix.libraries.map((library, j) => (
                <td key={library}>
                  <Cell row={matrix.cells[i]?.[j]} shown={shown} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
