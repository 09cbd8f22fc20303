import type { Row } from "../data/types.ts";
import { kindOf, resultOf } from "./outcome.ts";

const PASS = new Map(Object.entries({
  tokens: "All generated tokens equal those of the CPU reference.",
  near_tie:
    "The tokens part from the CPU reference where its two best candidates are practically equal, and the logits agree from there on.",
  logits: "The tokens part from the CPU reference, but teacher-forced logits agree at every step.",
  fluent: "No reference was possible. A judge model calls the text fluent English, and fluent is not the same as correct.",
}));

function passSentence(row: Row): string {
  return PASS.get(row.evidence ?? "") ?? "The run passed; what it was compared with is not recorded.";
}

function failSentence(row: Row): string {
  const stage = row.stage ? ` in the stage “${row.stage}”` : "";
  const owner = row.charged_to === "stack" ? ", a fault of the software stack rather than of the model" : "";
  return `The attempt failed${stage}${owner}.`;
}

/// Says in one sentence what the result of a row means.
export function explain(row: Row): string {
  const verdict = resultOf(row);
  switch (kindOf(verdict)) {
    case "pass":
      return passSentence(row);
    case "fail":
      return failSentence(row);
    case "too_large":
      return "The weights do not fit on the largest number of cores that one run may use.";
    case "excluded":
      return "Deliberately not tested.";
    case "untested":
      return "Nobody has tested this model here yet.";
    case "flaky":
      return `Some of ${row.attempts ?? "several"} attempts passed and some failed, under the same conditions.`;
    case "indeterminate":
      return "Trouble of the test system kept the attempts from an answer. It says nothing about the model.";
    default:
      return "The word of another system, shown as it was published.";
  }
}

/// What a PASS says, and what it does not.
export const PASS_SAYS = [
  "The unmodified model loaded, compiled and generated 32 new tokens, greedily, with a static cache, on at most 16 cores.",
  "Its output was checked as the evidence says: tokens and logits against a CPU run of the same files, or for fluency only.",
];
export const PASS_DOES_NOT_SAY = [
  "Nothing about throughput, longer generation, larger batches or training.",
  "Nothing about other versions of the stack or other revisions of the model.",
];
