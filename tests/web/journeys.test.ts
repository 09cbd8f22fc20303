// What people come for (the model user, the stack developer, the operator), from the first click to the answer.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { Browser, SITES } from "./browser.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await Browser.start();
});
afterAll(() => browser.stop());

const clipboard = () => navigator.clipboard.readText();

describe.each(SITES)("%s", (site) => {
  it("a model user types part of a name, reads the answer, and copies the script", async () => {
    const watched = await browser.open(site, "");
    const { page } = watched;
    await page.keyboard.press("/");
    await page.keyboard.type("qwen3 0.6");
    await page.locator("mark", { hasText: "Qwen3" }).first().waitFor();
    await expect.poll(() => watched.path).toBe("?q=qwen3+0.6");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.locator(".verdict").getByText("PASS").waitFor();
    expect(watched.path).toBe("model/Qwen/Qwen3-0.6B/");
    await page.getByRole("button", { name: "Copy: run.py" }).click();
    await page.getByRole("button", { name: "Copied: run.py" }).waitFor();
    expect(await page.evaluate(clipboard)).toContain("Does it run?");
    const started = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download" }).click();
    expect(readFileSync(await (await started).path(), "utf8")).toContain("Does it run?");
    await page.goBack();
    await page.locator("mark", { hasText: "Qwen3" }).first().waitFor();
    expect(await page.getByRole("searchbox").inputValue()).toBe("qwen3 0.6");
    await watched.close();
  });

  it("a model user sees where text and reference part, and what a PASS does not say", async () => {
    const watched = await browser.open(site, "model/Qwen/Qwen3-0.6B/");
    const { page } = watched;
    expect(await page.locator(".differs").innerText()).toContain(", a city");
    expect(await page.locator(".expected").innerText()).toContain(". It is");
    await page.getByText("9 of 32 tokens equal").waitFor();
    await page.getByText("token 10", { exact: true }).waitFor();
    await page.getByText("Nothing about throughput").first().waitFor();
    await page.getByText("Packages of the run: 2").click();
    await page.getByText("transformers==5.24.0").waitFor();
    // Three stacks were tried; another one is one click away, and an address of its own.
    await page.locator(".matrix-cell").last().click();
    await expect.poll(() => watched.path).toContain("?neuronx_cc=2.");
    await watched.close();
  });

  it("a stack developer asks what a compiler broke, and takes the list along", async () => {
    const watched = await browser.open(site, "");
    const { page } = watched;
    await page.getByRole("link", { name: "Compare" }).click();
    await page.getByRole("heading", { name: "Compare two stacks" }).waitFor();
    await page.getByLabel("Before").selectOption({ label: "2.27.1/5.10.2" });
    await page.getByLabel("After").selectOption({ label: "2.28.1/5.10.2" });
    await page.locator(".tile.change-regressed .tile-count", { hasText: "1" }).waitFor();
    await page.locator(".tile.change-regressed").click();
    await page.getByRole("link", { name: "meta-llama/Llama-3.1-8B" }).waitFor();
    expect(watched.path).toContain("change=regressed");
    const started = page.waitForEvent("download");
    await page.getByText("Script to test these again").click();
    expect(readFileSync(await (await started).path(), "utf8")).toContain("willitrun lab run --target trn2 --selection list:meta-llama/Llama-3.1-8B");
    await watched.close();
  });

  it("a stack developer finds the failure that stops the most downloads", async () => {
    const watched = await browser.open(site, "failures/");
    const { page } = watched;
    await page.getByRole("link", { name: "unsupported_op:NCC_EUOC002" }).click();
    await page.getByRole("link", { name: "some/hostile-texts" }).waitFor();
    expect(watched.path).toMatch(/^failures\/[^/]+\/$/);
    await watched.check(`cluster-${site}-light`);
    await watched.close();
  });

  it("a list is sorted, filtered and kept in its address", async () => {
    const watched = await browser.open(site, "?view=downloads");
    const { page } = watched;
    await page.getByRole("button", { name: "Model" }).click();
    await expect.poll(() => watched.path).toContain("sort=");
    const isSorted = async () => {
      const names = (await watched.names()).map((name) => name.toLowerCase());
      return names.every((name, i) => i === 0 || names[i - 1]! < name);
    };
    await expect.poll(isSorted).toBe(true);
    await page.getByLabel("neuronx-cc").selectOption("2.27.1");
    await expect.poll(() => watched.path).toContain("neuronx_cc=2.27.1");
    await page.reload();
    await watched.settled();
    expect(await page.getByLabel("neuronx-cc").inputValue()).toBe("2.27.1");
    expect(await isSorted()).toBe(true);
    await watched.close();
  });

  it("anybody asks the dataset in SQL, in the browser alone", async () => {
    const watched = await browser.open(site, "data/");
    const { page } = watched;
    await page.getByLabel(/A question in SQL/).fill("select count(*) as tests from results where neuronx_cc = '2.29.0' and model_id like 'some/%'");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("cell", { name: "5", exact: true }).waitFor({ timeout: 50_000 });
    await page.getByLabel(/A question in SQL/).fill("select nonsense");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("The question was refused").waitFor();
    await watched.close();
  });
});

describe("live", () => {
  it("a lab operator's new results show in open windows, without a reload", async () => {
    const watched = await browser.open("live", "?view=downloads&q=filler/model-07");
    await watched.page.locator(".row .chip", { hasText: "UNTESTED" }).waitFor();
    const env = { ...process.env, WILLITRUN_HOME: inject("home") };
    execFileSync(inject("program"), ["data", "import", inject("late")], { env, stdio: "ignore" });
    await watched.page.locator(".row .chip", { hasText: "PASS" }).waitFor();
    await watched.close();
  });

  it("a company sees its own folders' models at home, and publishes none of them", async () => {
    const watched = await browser.open("live", "?view=downloads&q=/models/our");
    await watched.page.getByRole("link", { name: "/models/our <b>own</b> model" }).click();
    await watched.page.getByText("a local model").waitFor();
    await watched.page.locator(".verdict").getByText("PASS", { exact: true }).waitFor();
    const started = watched.page.waitForEvent("download");
    await watched.page.getByRole("link", { name: "Download" }).click();
    expect(readFileSync(await (await started).path(), "utf8")).toContain("Does it run?");
    await watched.close();
    const published = await browser.open("files", "?view=downloads&q=/models/our");
    await published.page.getByText("No model matches “/models/our” here").waitFor();
    await published.close();
  });

  it("anybody near asks for a test, and a second ask is a vote", async () => {
    const watched = await browser.open("live", "model/some/nobody-tried/");
    const { page } = watched;
    await page.getByRole("link", { name: "Ask for a test" }).click();
    await page.getByRole("button", { name: "Ask for a test" }).click();
    await page.getByText("some/nobody-tried waits now. Place 1 in the queue.").waitFor();
    await page.getByRole("cell", { name: "trn2", exact: true }).waitFor();
    await page.getByRole("button", { name: "Ask for a test" }).click();
    await page.getByText("It was asked for before").waitFor();
    await watched.close();
  });

  it("an address that no page has says so", async () => {
    const watched = await browser.open("live", "no/such/page/");
    await watched.page.getByText("There is no such page").waitFor();
    await watched.page.getByRole("link", { name: "To the models" }).click();
    await watched.page.getByRole("link", { name: "Qwen/Qwen3-0.6B" }).waitFor();
    await watched.close(/status of 404/);
  });

  it("a page without its server says so and offers to try again", async () => {
    const watched = await browser.open("live", "");
    const { page } = watched;
    await page.route("**/api/v1/**", (route) => route.abort());
    await page.getByRole("link", { name: "Coverage" }).click();
    await page.getByRole("button", { name: "Try again" }).waitFor();
    await page.unroute("**/api/v1/**");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("From stack to stack").waitFor();
    await watched.close(/ERR_FAILED|ERR_ABORTED|Failed to fetch/);
  });

  it("the first page is small", async () => {
    const watched = await browser.open("live", "");
    const sizes = await watched.page.evaluate(() =>
      (performance.getEntries() as PerformanceResourceTiming[]).filter(({ transferSize }) => transferSize > 0).map(({ transferSize }) => transferSize),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000);
    expect(inject("live")).toMatch(/^http:\/\/127/);
    await watched.close();
  });
});
