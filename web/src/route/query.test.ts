import { expect, test } from "vitest";
import { isQuery, searchOf } from "./query.ts";

const nothing = { text: "", verdict: "", sort: "" };

test.each(["qwen3", "llama 3.1 8b", "Qwen/Qwen3-0.6B", "normal", "orca", "android"])("%s is a part of a name", (text) => {
  expect(isQuery(text)).toBe(false);
  expect(searchOf({ ...nothing, text })).toEqual({ q: text, where: "" });
});

test.each(["cores<=4", "is:pass", "not qwen", "qwen or llama", '"two words"', "(a)", "downloads>1M"])("%s is a query", (text) => {
  expect(isQuery(text)).toBe(true);
  expect(searchOf({ ...nothing, text }).q).toBe("");
});

test("verdict, text and sort are put together", () => {
  expect(searchOf({ text: "qwen", verdict: "TOO_LARGE", sort: "-downloads" })).toEqual({ q: "qwen", where: 'verdict:"TOO_LARGE" sort:-downloads' });
  expect(searchOf({ text: "a or is:pass", verdict: "FAIL", sort: "" }).where).toBe('verdict:"FAIL" (a or is:pass)');
});

test("a query's own order wins over the column's", () => {
  expect(searchOf({ text: "is:pass sort:cores", verdict: "", sort: "-downloads" }).where).toBe("is:pass sort:cores");
});

test("a quotation mark in another system's word cannot end the condition", () => {
  expect(searchOf({ ...nothing, verdict: 'A" or is:pass' }).where).toBe('verdict:"A or is:pass"');
});
