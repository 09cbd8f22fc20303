import { describe, expect, test } from "vitest";
import { FIRST_PAGE, MAX_ROWS, modelUrl, NEWEST, parseRoute, routeUrl, type Route } from "./route.ts";

/// Reads an address that routeUrl wrote.
function read(url: string): Route | null {
  const address = new URL(url, "http://site/below/");
  return parseRoute(address.pathname.slice("/below/".length), address.search);
}

const stack = { target: "trn2-emulated", compiler: "2.28.1+ab", library: "5.24.0" };

describe("every state is an address and comes back from it", () => {
  const routes: Route[] = [
    FIRST_PAGE,
    { ...FIRST_PAGE, view: "trending", task: "text-generation", text: "qwen 3 & <b>", verdict: "FAIL", sort: "-downloads", count: 100, ...stack },
    { ...FIRST_PAGE, text: 'seq(cc@2.27:pass cc@2.28:!pass) or "two words" a+b=100%' },
    { page: "model", id: "Qwen/Qwen3-0.6B", ...NEWEST },
    { page: "model", id: "gpt2", ...stack },
    { page: "model", id: "/models/our own", ...stack },
    { page: "compare", target: "trn2", before: "2.27.1/5.24.0", after: "2.28.1+x/5.24.0", change: "regressed" },
    { page: "failures", cluster: "", ...NEWEST },
    { page: "failures", cluster: "oom~3aNCC_EVRF009", ...stack },
    { page: "coverage", target: "cpu" },
    { page: "queue", model: "a/b" },
    { page: "data", sql: "select 1;\n-- done" },
  ];
  test.each(routes.map((route) => [routeUrl(route), route] as const))("%s", (url, route) => {
    expect(read(url)).toEqual(route);
  });
});

test("addresses are readable and leave out what is as usual", () => {
  expect(routeUrl(FIRST_PAGE)).toBe("./");
  expect(modelUrl("Qwen/Qwen3-0.6B")).toBe("model/Qwen/Qwen3-0.6B/");
  expect(modelUrl("gpt2")).toBe("model/-/gpt2/");
  expect(modelUrl("/models/our own")).toBe("model/-/%2Fmodels%2Four%20own/");
  expect(routeUrl({ page: "compare", target: "trn2", before: "2.27/5.24", after: "2.28/5.24", change: "" })).toBe("compare/?a=2.27/5.24&b=2.28/5.24");
});

test("unknown pages are none, and unknown values are the usual ones", () => {
  expect(read("nothing/")).toBeNull();
  expect(read("model/only-one-part/")).toBeNull();
  expect(read("model/a/b/c/")).toBeNull();
  expect(read("?view=best&rows=-3")).toEqual(FIRST_PAGE);
  expect(read("?rows=100000")).toEqual({ ...FIRST_PAGE, count: MAX_ROWS });
  expect(read("index.html")).toEqual(FIRST_PAGE);
  expect(parseRoute("model/a/%E0%A4%A/", "")).toMatchObject({ id: "a/%E0%A4%A" });
});
