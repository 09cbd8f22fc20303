import { describe, expect, test } from "vitest";
import { matchName, segments } from "./match.ts";

const marked = (name: string, text: string) =>
  segments(name, text)
    .map((piece) => (piece.matched ? `[${piece.text}]` : piece.text))
    .join("");

describe("what is marked", () => {
  test.each([
    ["Qwen/Qwen3-0.6B", "qwen3", "Qwen/[Qwen3]-0.6B"],
    ["Qwen/Qwen3-0.6B", "QWEN", "[Qwen]/[Qwen]3-0.6B"],
    ["meta-llama/Llama-3.1-8B", "llama_3-1", "meta-llama/[Llama-3.1]-8B"],
    ["meta-llama/Llama-3.1-8B", "8b meta", "[meta]-llama/Llama-3.1-[8B]"],
    ["meta-llama/Llama-3.1-8B", "llama3.1", "meta-[llama]/[Llama]-[3.1]-8B"],
    ["Qwen/Qwen3", "qwen/", "[Qwen/]Qwen3"],
    ["Qwen/Qwen3", "", "Qwen/Qwen3"],
    ["Qwen/Qwen3", "mistral", "Qwen/Qwen3"],
    ["x/aaa", "aa", "x/[aaa]"],
    ["x/İstanbul", "İ", "x/[İ]stanbul"],
  ])("%s for %s", (name, text, expected) => expect(marked(name, text)).toBe(expected));
});

test("pieces in order are the name, whatever is searched for", () => {
  for (const text of ["", "a", "/", "🙂", "a b", "<b>", "\\"])
    expect(segments("a/b🙂<b>\\c", text).map((piece) => piece.text).join("")).toBe("a/b🙂<b>\\c");
});

test("all words must occur", () => {
  expect(matchName("Qwen/Qwen3-0.6B", "qwen 0.6")).toBe("exact");
  expect(matchName("Qwen/Qwen3-0.6B", "qwen 8b")).toBeNull();
  expect(matchName("meta-llama/Llama-3.1-8B", "llama3.1")).toBe("relaxed");
});
