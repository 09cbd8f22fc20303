import type { Row } from "../data/types.ts";

/// Whole time of a run, split where the split is known.
export interface Wall {
  total: number;
  compile?: number;
  run?: number;
}

/// Splits the wall time into compilation and everything else.
export function wallOf(row: Row): Wall | null {
  if (row.wall_s === undefined) return null;
  if (row.compile_s === undefined) return { total: row.wall_s };
  const compile = Math.min(row.compile_s, row.wall_s);
  return { total: row.wall_s, compile, run: row.wall_s - compile };
}
