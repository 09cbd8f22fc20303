/// The columns of the list of models, and what a click on their heads asks for.

export interface Column {
  title: string;
  /// The query language's field; without one the column cannot be sorted.
  field: string;
  /// Values stand at the right edge.
  right: boolean;
  /// The first click brings the largest values.
  largestFirst: boolean;
}

export const COLUMNS: readonly Column[] = [
  { title: "Model", field: "model", right: false, largestFirst: false },
  { title: "Result", field: "verdict", right: false, largestFirst: false },
  { title: "Cores", field: "cores", right: true, largestFirst: true },
  { title: "Wall time", field: "wall_s", right: true, largestFirst: true },
  { title: "Peak memory", field: "hbm_peak_gb", right: false, largestFirst: true },
  { title: "Downloads", field: "downloads", right: true, largestFirst: true },
  { title: "Tested", field: "tested_at", right: true, largestFirst: true },
];

export type Direction = "ascending" | "descending" | "none";

/// How a column is sorted now.
export function directionOf(column: Column, sort: string): Direction {
  if (sort === column.field) return "ascending";
  return sort === `-${column.field}` ? "descending" : "none";
}

/// The sort after a click: texts begin at A, numbers with the largest; a second click turns round, a third goes back to the view's
/// own order.
export function nextSort(column: Column, sort: string): string {
  const [first, second] = column.largestFirst ? [`-${column.field}`, column.field] : [column.field, `-${column.field}`];
  if (sort === first) return second;
  return sort === second ? "" : first;
}
