import type { Row } from "../data/types.ts";
import { modelUrl, type StackChoice } from "../route/route.ts";
import { count } from "../view/format.ts";
import { Card } from "./card.tsx";
import { OutcomeChip } from "./outcome_chip.tsx";

/// Other models of the same architecture with their results.
export function RelatedModels({ rows, architecture, stack }: { rows: Row[]; architecture: string | undefined; stack: StackChoice }) {
  if (rows.length === 0) return null;
  return (
    <Card title={architecture ? `Same architecture: ${architecture}` : "Same architecture"}>
      <ul class="related">
        {rows.map((row) => (
          <li key={row.model_id}>
            <a href={modelUrl(row.model_id, stack)}>{row.model_id}</a>
            <OutcomeChip row={row} />
            {row.downloads !== undefined && <span class="muted">{count(row.downloads)} downloads</span>}
          </li>
        ))}
      </ul>
    </Card>
  );
}
