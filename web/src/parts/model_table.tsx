import type { Row } from "../data/types.ts";
import { go } from "../route/navigation.ts";
import type { ListRoute } from "../route/route.ts";
import { COLUMNS, directionOf, nextSort, type Column } from "../view/columns.ts";
import { Icon } from "./icon.tsx";
import { ModelRow } from "./model_row.tsx";

function Head({ column, route }: { column: Column; route: ListRoute }) {
  const direction = directionOf(column, route.sort);
  return (
    <th role="columnheader" scope="col" class={column.right ? "number" : undefined} aria-sort={direction}>
      <button type="button" class="sort" onClick={() => go({ ...route, sort: nextSort(column, route.sort) }, { replace: true })}>
        {column.title}
        {direction !== "none" && <Icon name={direction === "ascending" ? "up" : "down"} />}
      </button>
    </th>
  );
}

/// Moves the focus from row to row; above the first one lies the search box.
function onKeyDown(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const from = (event.target as Element).closest(".row-link");
  if (step === undefined || !from) return;
  event.preventDefault();
  const links = [...document.querySelectorAll<HTMLElement>(".row-link")];
  const next = links[links.indexOf(from as HTMLElement) + step];
  if (next) next.focus();
  else if (step < 0) document.querySelector<HTMLElement>(".search input")?.focus();
}

/// Goes to the first row, from the search box.
export function focusFirstRow(): void {
  document.querySelector<HTMLElement>(".row-link")?.focus();
}

/// The list of models. On narrow screens the style sheet makes a card of each row; the roles keep it a table for screen readers.
export function ModelTable({ rows, route, busy }: { rows: Row[]; route: ListRoute; busy: boolean }) {
  return (
    <table role="table" class="models" aria-label="Models" aria-busy={busy} onKeyDown={onKeyDown}>
      <thead role="rowgroup">
        <tr role="row">
          {COLUMNS.map((column) => (
            <Head key={column.field} column={column} route={route} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <ModelRow key={row.model_id} row={row} text={route.text} stack={route} />
        ))}
      </tbody>
    </table>
  );
}
