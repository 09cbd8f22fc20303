import { expect, test } from "vitest";
import { difference } from "./difference.ts";
import { keyOf } from "./key.ts";
import { tokens } from "./python.ts";

test("the first difference is found, never inside a character", () => {
  expect(difference("A grey square", "A grey line")).toEqual({ same: "A grey ", generated: "square", reference: "line" });
  expect(difference("same", "same")).toEqual({ same: "same", generated: "", reference: "" });
  expect(difference("ab", "abc")).toEqual({ same: "ab", generated: "", reference: "c" });
  expect(difference("x😀", "x😁")).toEqual({ same: "x", generated: "😀", reference: "😁" });
});

test("coloured tokens are the script, whatever is in it", () => {
  const scripts = ["", "# end", 'x = "a\\"b" + \'c\' # d\n', '"""doc\nstring"""\ndef f(x=1.5e3): return None', "'open\nstring", '"""never closed', "if🙂for"];
  for (const script of scripts) expect(tokens(script).map((token) => token.text).join("")).toBe(script);
});

test("keywords, strings, numbers and comments get their colours", () => {
  const kinds = Object.fromEntries(tokens('import os  # why\nx = f"a" + 12').map((token) => [token.text, token.kind]));
  expect(kinds).toMatchObject({ import: "keyword", "# why": "comment", 'f"a"': "string", "12": "number" });
  expect(tokens("important").map((token) => token.kind)).toEqual(["plain"]);
});

test("keys keep what a file name may hold", () => {
  expect(keyOf("compiler_device_oom:NCC_EVRF009")).toBe("compiler_device_oom~3aNCC_EVRF009");
  expect(keyOf("2.28.1+ab/5~é")).toBe("2.28.1~2bab~2f5~7e~c3~a9");
});
