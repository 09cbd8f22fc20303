import { expect, test } from "vitest";
import { compareVersions, matricesOf } from "./matrix.ts";

const row = (neuronx_cc: string, transformers: string, target = "trn2", verdict = "PASS") => ({ model_id: "a/b", neuronx_cc, transformers, target, verdict });

test("versions are compared by their numbers", () => {
  const sorted = ["2.28.1", "2.9", "2.28", "2.28.1+ab", "2.28.10", ""].sort(compareVersions);
  expect(sorted).toEqual(["", "2.9", "2.28", "2.28.1", "2.28.1+ab", "2.28.10"]);
});

test("a matrix per target, newest compiler first, oldest library first", () => {
  const rows = [row("2.28", "5.24.0"), row("2.9", "5.24.0"), row("2.28", "5.10.2"), { ...row("0.0+emu", "5.24.0", "trn2-emulated"), emulated: true }];
  const [trn2, emulated] = matricesOf(rows);
  expect(trn2).toMatchObject({ target: "trn2", emulated: false, compilers: ["2.28", "2.9"], libraries: ["5.10.2", "5.24.0"] });
  expect(trn2!.cells.map((line) => line.map((cell) => cell !== undefined))).toEqual([[true, true], [false, true]]);
  expect(emulated).toMatchObject({ target: "trn2-emulated", emulated: true });
});

test("files of others name the version of the library instead of Transformers'", () => {
  const [matrix] = matricesOf([{ model_id: "a/b", neuronx_cc: "2.28", library_version: "5.24.0" }]);
  expect(matrix!.libraries).toEqual(["5.24.0"]);
});
