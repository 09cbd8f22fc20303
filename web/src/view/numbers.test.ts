import { expect, test } from "vitest";
import { memoryOf, shareOf } from "./memory.ts";
import { stretchesOf } from "./timings.ts";
import { wallOf } from "./wall.ts";

const row = (values: object) => ({ model_id: "a/b", ...values });

test("memory is read in bytes, or in 10^9 bytes from files of others", () => {
  expect(memoryOf(row({ planned_bytes_per_core: 1, peak_bytes_per_core: 2, capacity_bytes_per_core: 4 }))).toEqual({ planned: 1, peak: 2, capacity: 4 });
  expect(memoryOf(row({ hbm_peak_gb: 1.5, hbm_capacity_gb: 24 }))).toEqual({ peak: 1.5e9, capacity: 24e9 });
  expect(memoryOf(row({ hbm_peak_gb: 1.5 }))).toBeNull();
  expect(memoryOf(row({ capacity_bytes_per_core: 4 }))).toBeNull();
});

test("a bar never leaves its frame", () => {
  expect([shareOf(1, 4), shareOf(9, 4), shareOf(-1, 4)]).toEqual([0.25, 1, 0]);
});

test("wall time is split where compilation is known", () => {
  expect(wallOf(row({ wall_s: 212, compile_s: 171 }))).toEqual({ total: 212, compile: 171, run: 41 });
  expect(wallOf(row({ wall_s: 212 }))).toEqual({ total: 212 });
  expect(wallOf(row({ wall_s: 10, compile_s: 11 }))).toEqual({ total: 10, compile: 10, run: 0 });
  expect(wallOf(row({}))).toBeNull();
});

test("stretches add up to the wall time", () => {
  const stretches = stretchesOf(row({ wall_s: 212, load_s: 9.5, compile_s: 171, warm_s: 0.9 }));
  expect(stretches.map((stretch) => stretch.kind)).toEqual(["load", "compile", "generate", "rest"]);
  expect(stretches.reduce((sum, stretch) => sum + stretch.seconds, 0)).toBeCloseTo(212);
  expect(stretchesOf(row({}))).toEqual([]);
});
