import type { ChangedModel, CompareAnswer } from "../data/types.ts";
import { plural } from "./format.ts";

/// A class of change between two stacks, in words.
export interface ChangeClass {
  name: string;
  title: string;
  meaning: string;
  models: number;
  downloads: number;
  /// Its models are listed; those that are the same on both stacks are only counted.
  listed: boolean;
}

const TEXTS: readonly [name: string, title: string, meaning: string][] = [
  ["regressed", "Regressed", "passed, and does not any more"],
  ["fixed", "Fixed", "did not pass, and does now"],
  ["moved_stage", "Moved stage", "fails on both, in another stage"],
  ["flaky", "Flaky", "passes sometimes: neither better nor worse"],
  ["indeterminate", "Indeterminate", "no verdict on a side, for reasons of the test system"],
  ["not_comparable", "Not comparable", "excluded, another system’s word, or other files"],
  ["added", "Added", "a result on the second only"],
  ["removed", "Removed", "a result on the first only"],
  ["same_pass", "Same: pass", "passes on both"],
  ["same_fail", "Same: fail", "fails on both alike"],
];

/// The classes with their counts: what needs attention first. Classes that nobody knows yet come last, by their own names.
export function changeClasses(answer: CompareAnswer): ChangeClass[] {
  const known = TEXTS.map(([name]) => name);
  const others = Object.keys(answer.classes).filter((name) => !known.includes(name));
  const texts = [...TEXTS, ...others.map((name) => [name, name, ""] as const)];
  return texts.map(([name, title, meaning]) => ({
    name,
    title,
    meaning,
    models: answer.classes[name]?.models ?? 0,
    downloads: answer.classes[name]?.downloads ?? 0,
    listed: answer.models.some((model) => model.change === name),
  }));
}

/// The changed models of one class, or all of them, most downloads first.
export function changedModels(answer: CompareAnswer, change: string): ChangedModel[] {
  const models = change ? answer.models.filter((model) => model.change === change) : answer.models;
  return [...models].sort((a, b) => b.downloads - a.downloads);
}

/// A script that tests models again. Model ids hold nothing that a shell would read; ids that do are left out.
export function rerunScript(models: ChangedModel[], target: string): string {
  const ids = models.map((model) => model.model_id).filter((id) => /^[\w./-]+$/.test(id));
  return `#!/bin/sh\n# Tests ${plural(ids.length, "model")} again.\nwillitrun lab run --target ${target} --selection list:${ids.join(",")}\n`;
}
