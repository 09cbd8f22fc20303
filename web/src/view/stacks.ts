import type { StackResults } from "../data/types.ts";
import { compareVersions } from "./matrix.ts";

/// What the selectors offer.
export interface StackChoices {
  targets: string[];
  compilers: string[];
  libraries: string[];
}

function newestFirst(versions: string[]): string[] {
  return [...new Set(versions)].filter(Boolean).sort((a, b) => compareVersions(b, a));
}

/// Targets with results, trn2 always among them and first, and the versions on the asked one.
export function stackChoices(rows: StackResults[], target: string): StackChoices {
  const others = [...new Set(rows.map((row) => row.target))].filter((name) => name !== "trn2").sort();
  const here = rows.filter((row) => row.target === target).map((row) => row.stack);
  return {
    targets: ["trn2", ...others],
    compilers: newestFirst(here.map((stack) => stack.neuronx_cc)),
    libraries: newestFirst(here.map((stack) => stack.transformers || stack.library_version)),
  };
}

/// Names of a target's stacks, newest first, each once.
export function stackNames(rows: StackResults[], target: string): string[] {
  return [...new Set(rows.filter((row) => row.target === target).map((row) => row.stack.name))];
}

/// Tells whether a target's results are imitations of Trainium.
export function isEmulated(rows: StackResults[], target: string): boolean {
  return rows.some((row) => row.target === target && row.emulated);
}
