import type { Row } from "../data/types.ts";
import { modelUrl, type StackChoice } from "../route/route.ts";
import { count, day, exactCount } from "../view/format.ts";
import { memoryOf } from "../view/memory.ts";
import { outcomeOf } from "../view/outcome.ts";
import { wallOf } from "../view/wall.ts";
import { MatchedName } from "./matched_name.tsx";
import { MemoryBar } from "./memory_bar.tsx";
import { OutcomeChip } from "./outcome_chip.tsx";
import { WallTime } from "./wall_time.tsx";

function coresText(row: Row): string {
  const cores = row.cores ?? row.tp;
  return cores === undefined ? "" : String(cores);
}

/// One model of a list.
export function ModelRow({ row, text, stack }: { row: Row; text: string; stack: StackChoice }) {
  const memory = memoryOf(row);
  const wall = wallOf(row);
  const cores = coresText(row);
  return (
    <tr role="row" class={`row is-${outcomeOf(row).kind}`}>
      <th role="rowheader" scope="row" class="cell-model">
        <a class="row-link" href={modelUrl(row.model_id, stack)}>
          <MatchedName id={row.model_id} text={text} />
        </a>
        {row.task && <span class="row-task">{row.task}</span>}
      </th>
      <td role="cell" class="cell-result">
        <OutcomeChip row={row} />
      </td>
      <td role="cell" class="number cell-cores" data-label="Cores">
        {cores}
        {row.mode && row.mode !== "single" && <span class="cell-note">{row.mode.replace("_", " + ")}</span>}
      </td>
      <td role="cell" class="number cell-wall" data-label="Wall time">
        {wall && <WallTime wall={wall} />}
      </td>
      <td role="cell" class="cell-memory" data-label="Peak memory">
        {memory && <MemoryBar memory={memory} compact />}
      </td>
      <td role="cell" class="number cell-downloads" data-label="Downloads">
        {row.downloads !== undefined && <span title={`${exactCount(row.downloads)} downloads in 30 days`}>{count(row.downloads)}</span>}
      </td>
      <td role="cell" class="number cell-date" data-label="Tested">
        {row.tested_at && <time dateTime={row.tested_at}>{day(row.tested_at)}</time>}
      </td>
    </tr>
  );
}
