// The lists: every kind of result, search, keyboard, sorting, selectors; each state is an address.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Browser, SITES } from "./browser.ts";

const QWEN = "Qwen/Qwen3-0.6B";

let browser: Browser;
beforeAll(async () => {
  browser = await Browser.start();
});
afterAll(() => browser.stop());

describe.each(SITES)("%s", (site) => {
  it("every kind of result is told apart by word and by style", async () => {
    const watched = await browser.open(site, "?view=downloads");
    const kinds = [
      [QWEN, "PASS", "pass"], ["meta-llama/Llama-3.1-8B", "FAIL", "fail"], ["some/large", "TOO LARGE", "too_large"],
      ["some/nobody-tried", "UNTESTED", "untested"], ["some/model-AWQ", "EXCLUDED", "excluded"], ["some/flaky", "FLAKY", "flaky"],
      ["some/unclear", "INDETERMINATE", "indeterminate"], ["some/other-words", "PARTIAL", "other"],
    ] as const;
    for (const [name, word, kind] of kinds) {
      const chip = watched.page.getByRole("row").filter({ hasText: name }).locator(".chip");
      expect((await chip.innerText()).trim(), name).toBe(word);
      expect(await chip.getAttribute("class"), name).toContain(`is-${kind}`);
    }
    const row = await watched.page.getByRole("row").filter({ hasText: QWEN }).innerText();
    for (const told of ["equal but for a near tie", "39.3 s compile", "of 24.0 GiB", "9.0M", "2026-11-02"]) expect(row).toContain(told);
    await watched.close();
  });

  it("the three lists, more rows and a kind of result are addresses", async () => {
    const watched = await browser.open(site, "");
    const { page } = watched;
    expect(await page.getByRole("link", { name: "Selected" }).getAttribute("aria-current")).toBe("page");
    await page.getByRole("link", { name: "Trending" }).click();
    await expect.poll(() => watched.path).toBe("?view=trending");
    await page.getByRole("link", { name: "Downloads" }).click();
    await page.getByRole("button", { name: "Show more" }).click();
    await expect.poll(() => watched.path).toBe("?view=downloads&rows=100");
    await expect.poll(() => page.locator(".row-link").count()).toBeGreaterThan(50);
    await page.getByRole("group", { name: "Show only" }).getByRole("button", { name: /^FAIL/ }).click();
    await page.locator(".list-foot", { hasText: "2 of 2 models" }).waitFor();
    expect(watched.path).toBe("?view=downloads&result=FAIL");
    await page.reload();
    expect(await watched.names()).toEqual(["meta-llama/Llama-3.1-8B", "some/hostile-texts"]);
    await watched.close();
  });

  it("search answers while one types, marks what matches, and Escape brings all back", async () => {
    const watched = await browser.open(site, "?view=downloads");
    const { page } = watched;
    await page.keyboard.press("/");
    await page.keyboard.type("QWEN3");
    await page.locator("mark", { hasText: "Qwen3" }).waitFor();
    await expect.poll(() => watched.path).toBe("?view=downloads&q=QWEN3");
    expect(await watched.names()).toEqual([QWEN]);
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "some/large" }).waitFor();
    expect(watched.path).toBe("?view=downloads");
    await watched.close();
  });

  it("arrows walk the rows, up to the search box, and Enter opens one", async () => {
    const watched = await browser.open(site, "?view=downloads&q=some");
    const { page } = watched;
    const names = await watched.names();
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
    await page.keyboard.press("/");
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toBe(names[0]);
    await page.keyboard.press("ArrowUp");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("INPUT");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toBe(names[1]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: names[1]! }).waitFor();
    await watched.close();
  });

  it("a click on a column's head sorts, a second turns round, a third goes back", async () => {
    const watched = await browser.open(site, "?view=downloads");
    const { page } = watched;
    const own = await watched.names();
    const head = page.getByRole("columnheader", { name: "Cores" });
    for (const [sort, direction, first] of [["-cores", "descending", QWEN], ["cores", "ascending", "meta-llama/Llama-3.1-8B"]] as const) {
      await head.getByRole("button").click();
      await page.locator(`th[aria-sort=${direction}]`).waitFor();
      await expect.poll(async () => (await watched.names())[0]).toBe(first);
      expect(watched.path).toBe(`?view=downloads&sort=${sort}`);
    }
    await head.getByRole("button").click();
    await expect.poll(() => watched.names()).toEqual(own);
    await watched.close();
  });
});

describe("live", () => {
  it("the search box takes the query language, and a link shares the question", async () => {
    const watched = await browser.open("live", "?view=downloads");
    await watched.page.getByRole("searchbox").fill("cores>=2 is:pass");
    await watched.page.locator(".list-foot", { hasText: "1 of 1 models" }).waitFor();
    expect(await watched.names()).toEqual([QWEN]);
    await watched.page.reload();
    expect(await watched.names()).toEqual([QWEN]);
    await watched.close();
  });
});
