import { expect, test } from "vitest";
import { changeClasses, changedModels, rerunScript } from "./changes.ts";
import { COLUMNS, directionOf, nextSort } from "./columns.ts";
import { partsOf } from "./coverage.ts";
import { conclusionOf, tellingLines } from "./history.ts";
import { gridOf, labelledAt, pointsOf, topOf } from "./plot.ts";
import { stackChoices, stackNames } from "./stacks.ts";

const column = (field: string) => COLUMNS.find((one) => one.field === field)!;

test("a column is sorted one way, then the other, then not", () => {
  expect(nextSort(column("downloads"), "")).toBe("-downloads");
  expect(nextSort(column("downloads"), "-downloads")).toBe("downloads");
  expect(nextSort(column("downloads"), "downloads")).toBe("");
  expect(nextSort(column("model"), "-downloads")).toBe("model");
  expect([directionOf(column("cores"), "cores"), directionOf(column("cores"), "-cores"), directionOf(column("cores"), "")]).toEqual(["ascending", "descending", "none"]);
});

test("coverage goes by downloads, what works first; without downloads by models", () => {
  const coverage = { models: 4, downloads: 100, pass_share_of_downloads: 0.6, verdicts: [{ verdict: "UNTESTED", models: 2, downloads: 10 }, { verdict: "ODD", models: 1, downloads: 30 }, { verdict: "PASS", models: 1, downloads: 60 }] };
  expect(partsOf(coverage).map((part) => [part.verdict, part.share])).toEqual([["PASS", 0.6], ["ODD", 0.3], ["UNTESTED", 0.1]]);
  expect(partsOf({ ...coverage, downloads: 0 })[0]!.share).toBe(0.25);
});

const outcome = (verdict: string) => ({ verdict, evidence: "", stage: "", class: "", signature: "" });
const changed = (model_id: string, change: string, downloads: number) => ({ model_id, change, downloads, before: outcome("PASS"), after: outcome("FAIL") });
const comparison = {
  target: "trn2", before: "a", after: "b", compared: 3, indeterminate_share: 0,
  classes: { regressed: { models: 2, downloads: 7 }, same_pass: { models: 1, downloads: 1 }, a_new_class: { models: 1, downloads: 0 } },
  models: [changed("x/small", "regressed", 2), changed("x/large", "regressed", 5), changed("x/$(rm -r)", "a_new_class", 0)],
};

test("all classes of a comparison are shown, unknown ones too", () => {
  const classes = changeClasses(comparison);
  expect(classes[0]).toMatchObject({ name: "regressed", models: 2, listed: true });
  expect(classes.find((kind) => kind.name === "same_pass")).toMatchObject({ models: 1, listed: false });
  expect(classes.at(-1)).toMatchObject({ name: "a_new_class", title: "a_new_class" });
});

test("changed models come by downloads, and a re-run names no id that a shell would read", () => {
  expect(changedModels(comparison, "regressed").map((model) => model.model_id)).toEqual(["x/large", "x/small"]);
  expect(rerunScript(changedModels(comparison, ""), "trn2")).toBe("#!/bin/sh\n# Tests 2 models again.\nwillitrun lab run --target trn2 --selection list:x/large,x/small\n");
});

const line = { target: "trn2", axis: "neuronx-cc", fixed: "Transformers 5.24.0", works_since: null, since_first_result: false, last_good: null, first_bad: null, inconclusive: 0, transitions: [] };
const transition = { first_stack: "a", last_stack: "b", results: 2, verdict: "PASS", evidence: "", stage: "", class: "", signature: "" };

test("a history says since when, or what broke", () => {
  expect(conclusionOf({ ...line, works_since: "2.28" })).toBe("Works since 2.28");
  expect(conclusionOf({ ...line, works_since: "2.28", since_first_result: true })).toContain("may have worked before");
  expect(conclusionOf({ ...line, last_good: "2.27", first_bad: "2.28" })).toBe("Last good 2.27, first bad 2.28");
  expect(conclusionOf(line)).toBe("No conclusive result");
  expect(tellingLines([line, { ...line, transitions: [{ ...transition, results: 1 }] }, { ...line, transitions: [transition] }])).toHaveLength(1);
});

test("a plot shows small shares large, and puts a lone point in the middle", () => {
  expect([topOf([0.003]), topOf([0.3]), topOf([0.51]), topOf([])]).toEqual([0.05, 0.5, 1, 0.05]);
  expect(gridOf(1)).toEqual([0, 0.25, 0.5, 0.75, 1]);
  const frame = { left: 0, right: 100, top: 0, bottom: 50 };
  expect(pointsOf([{ label: "a", share: 0.5 }], 1, frame)[0]).toMatchObject({ x: 50, y: 25 });
  expect(pointsOf([{ label: "a", share: 0 }, { label: "b", share: 1 }], 1, frame).map(({ x, y }) => [x, y])).toEqual([[0, 50], [100, 0]]);
  expect([...labelledAt(9, 3)]).toEqual([8, 5, 2]);
});

test("selectors offer trn2 and what there is, newest first", () => {
  const stack = (neuronx_cc: string, transformers: string) => ({ name: `${neuronx_cc}/${transformers}`, neuronx_cc, transformers }) as never;
  const rows = [["trn2-emulated", "0.0", "5.24.0"], ["trn2", "2.9", "5.24.0"], ["trn2", "2.28", "5.24.0"], ["trn2", "2.28", "5.10.2"]].map(([target, cc, tf]) => ({
    target: target!, emulated: false, stack: stack(cc!, tf!), models: 1, passed: 1, newest: null,
  }));
  expect(stackChoices(rows, "trn2")).toEqual({ targets: ["trn2", "trn2-emulated"], compilers: ["2.28", "2.9"], libraries: ["5.24.0", "5.10.2"] });
  expect(stackNames(rows, "trn2")).toEqual(["2.9/5.24.0", "2.28/5.24.0", "2.28/5.10.2"]);
  expect(stackChoices([], "trn2").targets).toEqual(["trn2"]);
});
