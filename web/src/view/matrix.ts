import type { Row } from "../data/types.ts";

/// Results of one model on one target: a row per neuronx-cc, newest first, and a column per Transformers version.
export interface Matrix {
  target: string;
  emulated: boolean;
  compilers: string[];
  libraries: string[];
  /// cells[compiler][library]; nothing where the model was not tested.
  cells: (Row | undefined)[][];
}

/// Compares versions by their numbers: 2.9 is older than 2.28.
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split(/[.+-]/));
  for (let i = 0; i < Math.max(left!.length, right!.length); ++i) {
    const [x, y] = [left![i] ?? "", right![i] ?? ""];
    const numbers = [Number(x), Number(y)] as const;
    if (x === y) continue;
    if (x !== "" && y !== "" && !Number.isNaN(numbers[0]) && !Number.isNaN(numbers[1])) {
      if (numbers[0] !== numbers[1]) return numbers[0] - numbers[1];
      continue;
    }
    return x < y ? -1 : 1;
  }
  return 0;
}

/// The Transformers version of a row, whichever column has it.
export function libraryOf(row: Row): string {
  return row.transformers ?? row.library_version ?? "";
}

function newestFirst(versions: Iterable<string>): string[] {
  return [...new Set(versions)].sort((a, b) => compareVersions(b, a));
}

function matrixOf(target: string, rows: Row[]): Matrix {
  const compilers = newestFirst(rows.map((row) => row.neuronx_cc ?? ""));
  const libraries = newestFirst(rows.map(libraryOf)).reverse();
  const find = (compiler: string, library: string) =>
    rows.find((row) => (row.neuronx_cc ?? "") === compiler && libraryOf(row) === library);
  return {
    target,
    emulated: rows.some((row) => row.emulated === true),
    compilers,
    libraries,
    cells: compilers.map((compiler) => libraries.map((library) => find(compiler, library))),
  };
}

/// One matrix per target, in the order in which the rows name them.
export function matricesOf(rows: Row[]): Matrix[] {
  const targets = [...new Set(rows.map((row) => row.target ?? "trn2"))];
  return targets.map((target) => matrixOf(target, rows.filter((row) => (row.target ?? "trn2") === target)));
}
