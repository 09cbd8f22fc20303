import type { Coverage } from "../data/types.ts";
import { kindOf, wordOf, type OutcomeKind } from "./outcome.ts";

/// A verdict's part of a list.
export interface Part {
  verdict: string;
  kind: OutcomeKind;
  word: string;
  models: number;
  downloads: number;
  /// Share of all downloads, or of all models where nothing was downloaded.
  share: number;
}

const ORDER: OutcomeKind[] = ["pass", "flaky", "fail", "too_large", "indeterminate", "other", "excluded", "untested", "predicted"];

/// The parts of a coverage, what works first and what is not known last.
export function partsOf(coverage: Coverage): Part[] {
  const byDownloads = coverage.downloads > 0;
  const parts = coverage.verdicts.map(({ verdict, models, downloads }) => ({
    verdict,
    kind: kindOf(verdict),
    word: wordOf(verdict),
    models,
    downloads,
    share: byDownloads ? downloads / coverage.downloads : coverage.models > 0 ? models / coverage.models : 0,
  }));
  return parts.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || b.share - a.share);
}
