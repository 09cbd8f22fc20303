import { describe, expect, test } from "vitest";
import { explain } from "./explain.ts";
import { outcomeOf } from "./outcome.ts";

const row = (values: object) => ({ model_id: "a/b", ...values });

describe("results in words", () => {
  test("a PASS says what it stands on", () => {
    expect(outcomeOf(row({ verdict: "PASS", evidence: "near_tie" }))).toEqual({ kind: "pass", word: "PASS", detail: "equal but for a near tie", emulated: false });
    expect(outcomeOf(row({ verdict: "PASS", evidence: "none" })).detail).toBe("");
  });
  test("a FAIL says where", () => {
    expect(outcomeOf(row({ verdict: "FAIL", stage: "compile", class: "unsupported_op" })).detail).toBe("compile: unsupported op");
  });
  test("an exclusion says why", () => {
    expect(outcomeOf(row({ verdict: "EXCLUDED", exclusion: "needs CUDA" }))).toMatchObject({ kind: "excluded", detail: "needs CUDA" });
  });
  test("words that nobody documents are shown as they are and never become PASS or FAIL", () => {
    for (const word of ["OK_BUT_SLOW", "pass", "PASSED", "constructor", "toString"])
      expect(outcomeOf(row({ result: word }))).toMatchObject({ kind: "other", word });
  });
  test("the verdict counts, not another system's word beside it", () => {
    expect(outcomeOf(row({ verdict: "FLAKY", result: "PASS" })).kind).toBe("flaky");
    expect(outcomeOf(row({ verdict: "FLAKY", evidence: "tokens" })).detail).toBe("some attempts pass");
  });
  test("a prediction never looks like a result", () => {
    expect(outcomeOf(row({ verdict: "PASS", evidence: "predicted" }))).toMatchObject({ kind: "predicted", word: "predicted PASS" });
  });
  test("without anything it is untested", () => {
    expect(outcomeOf(row({}))).toMatchObject({ kind: "untested", word: "UNTESTED" });
  });
  test("emulated results are marked, and nothing is emulated about an untested model", () => {
    expect(outcomeOf(row({ verdict: "PASS", emulated: true })).emulated).toBe(true);
    expect(outcomeOf(row({ verdict: "UNTESTED", emulated: true })).emulated).toBe(false);
  });
});

test("each kind has its sentence, and fluent is not called correct", () => {
  expect(explain(row({ verdict: "PASS", evidence: "fluent" }))).toContain("not the same as correct");
  expect(explain(row({ verdict: "PASS" }))).toContain("not recorded");
  expect(explain(row({ verdict: "INDETERMINATE" }))).toContain("nothing about the model");
  expect(explain(row({ verdict: "FAIL", stage: "compile", charged_to: "stack" }))).toContain("software stack");
  expect(explain(row({ result: "ODD" }))).toContain("another system");
});
