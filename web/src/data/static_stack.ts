import type { StackChoice } from "../route/route.ts";
import { AnswerError } from "./source.ts";
import type { ModelAnswer, Row, StackResults } from "./types.ts";

/// Tells whether a version is the wanted one or below it: 2.28 has 2.28.1 but not 2.280.
export function isWithin(version: string, wanted: string): boolean {
  return wanted === "" || version === wanted || (version.startsWith(wanted) && /[.+-]/.test(version[wanted.length] ?? ""));
}

/// The newest stack of a target that fits; nothing when the target has no results. `rows` begin with the newest.
export function findStack(rows: StackResults[], choice: StackChoice): StackResults | null {
  const here = rows.filter((row) => row.target === choice.target);
  if (here.length === 0) return null;
  const found = here.find(({ stack }) => isWithin(stack.neuronx_cc, choice.compiler) && isWithin(stack.transformers, choice.library));
  if (!found) {
    const known = here.map((row) => row.stack.name).join(", ");
    throw new AnswerError(400, `no result on target '${choice.target}' with these versions: there are ${known}`);
  }
  return found;
}

function fits(row: Row, choice: StackChoice): boolean {
  return (
    (row.target ?? "trn2") === choice.target &&
    isWithin(row.neuronx_cc ?? "", choice.compiler) &&
    isWithin(row.transformers ?? "", choice.library)
  );
}

/// A model's answer for another stack than the one that its file was written for: the newest result that fits is shown.
export function chooseShown(answer: ModelAnswer, choice: StackChoice): ModelAnswer {
  const shown = answer.rows.findIndex((row) => fits(row, choice));
  if (shown < 0 || shown === answer.shown) return answer;
  const before = answer.shown === null ? undefined : answer.rows[answer.shown]?.neuronx_cc;
  const now = answer.rows[shown]?.neuronx_cc ?? "";
  const command = before ? answer.cache_command.replaceAll(before, now) : "";
  return { ...answer, shown, cache_command: command };
}
