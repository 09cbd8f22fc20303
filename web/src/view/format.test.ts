import { describe, expect, test } from "vitest";
import { bytes, count, day, percent, plural, seconds } from "./format.ts";

describe("numbers as people read them", () => {
  test.each([[0, "0"], [999, "999"], [1000, "1.0k"], [980_400, "980k"], [25_235_903, "25.2M"], [1.2e9, "1.2B"]])("count %d", (value, text) =>
    expect(count(value)).toBe(text));
  test.each([[0.08, "0.08 s"], [9.5, "9.5 s"], [50, "50 s"], [60, "1 min"], [212, "3 min 32 s"], [119.7, "2 min"], [3700, "1 h 1 min"]])("seconds %d", (value, text) =>
    expect(seconds(value)).toBe(text));
  test.each([[500, "500 bytes"], [2048, "2 KiB"], [3 * 2 ** 20, "3 MiB"], [2 ** 30, "1.00 GiB"], [24 * 2 ** 30, "24.0 GiB"]])("bytes %d", (value, text) =>
    expect(bytes(value)).toBe(text));
  test.each([[0, "0 %"], [0.0004, "< 0.1 %"], [0.049, "4.9 %"], [0.53, "53 %"], [0.9996, "> 99.9 %"], [0.995, "99.5 %"], [1, "100 %"]])("percent %d", (value, text) =>
    expect(percent(value)).toBe(text));
  test("plural and day", () => {
    expect(plural(1, "model")).toBe("1 model");
    expect(plural(15_904, "model")).toBe("15,904 models");
    expect(day("2026-10-03T10:30:00Z")).toBe("2026-10-03");
  });
});
