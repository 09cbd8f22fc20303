import type { Row } from "../data/types.ts";

/// A stretch of a run's wall time.
export interface Stretch {
  kind: "load" | "compile" | "generate" | "rest";
  name: string;
  seconds: number;
}

/// Cuts the wall time into what is known of it; what is left over is "everything else". Nothing without a wall time.
export function stretchesOf(row: Row): Stretch[] {
  if (row.wall_s === undefined) return [];
  const parts: Stretch[] = [
    { kind: "load", name: "load", seconds: row.load_s ?? 0 },
    { kind: "compile", name: "compile", seconds: row.compile_s ?? 0 },
    { kind: "generate", name: "generate", seconds: row.warm_s ?? 0 },
  ];
  const known = parts.filter((stretch) => stretch.seconds > 0);
  const rest = row.wall_s - known.reduce((sum, stretch) => sum + stretch.seconds, 0);
  return rest > 0.5 ? [...known, { kind: "rest", name: "everything else", seconds: rest }] : known;
}
