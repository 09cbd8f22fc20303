import type { Row } from "../data/types.ts";

/// How a result is drawn. `other` is a word of another system: it is shown as it is and takes no side.
export type OutcomeKind =
  | "pass" | "fail" | "too_large" | "excluded" | "untested" | "flaky" | "indeterminate" | "predicted" | "other";

// No plain object: other systems' words may be anything, "constructor" too.
const KINDS = new Map<string, OutcomeKind>(Object.entries({
  PASS: "pass",
  FAIL: "fail",
  TOO_LARGE: "too_large",
  EXCLUDED: "excluded",
  UNTESTED: "untested",
  FLAKY: "flaky",
  INDETERMINATE: "indeterminate",
}));

/// A result in the words that a row shows.
export interface Outcome {
  kind: OutcomeKind;
  word: string;
  detail: string;
  emulated: boolean;
}

/// The word that stands for a row's result: the verdict, or another system's own word.
export function resultOf(row: Pick<Row, "verdict" | "result">): string {
  return row.verdict ?? row.result ?? "UNTESTED";
}

/// The kind of a verdict's word, or of another system's.
export function kindOf(word: string): OutcomeKind {
  return KINDS.get(word) ?? "other";
}

/// The word as people read it: TOO_LARGE -> "TOO LARGE". Words of other systems are not touched.
export function wordOf(verdict: string): string {
  return KINDS.has(verdict) ? verdict.replace("_", " ") : verdict;
}

const EVIDENCE = new Map(Object.entries({
  tokens: "all tokens equal",
  near_tie: "equal but for a near tie",
  logits: "logits agree",
  fluent: "fluent only",
}));

/// The evidence in short words; unknown ones as they are.
export function evidenceText(evidence: string | undefined): string {
  if (!evidence || evidence === "none") return "";
  return EVIDENCE.get(evidence) ?? evidence;
}

function detailOf(row: Row, kind: OutcomeKind): string {
  if (kind === "excluded") return row.exclusion ?? "";
  if (kind === "fail" || kind === "indeterminate") return [row.stage, row.class?.replaceAll("_", " ")].filter(Boolean).join(": ");
  if (kind === "too_large") return row.notes ?? "";
  if (kind === "flaky") return "some attempts pass";
  if (kind === "pass" || kind === "predicted") return evidenceText(row.evidence);
  return "";
}

/// What a row's result is. A prediction is never drawn as a result, whatever its word.
export function outcomeOf(row: Row): Outcome {
  const verdict = resultOf(row);
  const predicted = row.evidence === "predicted";
  const kind = predicted ? "predicted" : kindOf(verdict);
  return {
    kind,
    word: predicted ? `predicted ${wordOf(verdict)}` : wordOf(verdict),
    detail: predicted ? "" : detailOf(row, kind),
    emulated: row.emulated === true && kind !== "untested" && kind !== "excluded",
  };
}
