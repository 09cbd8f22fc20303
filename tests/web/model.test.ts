// The cards of a model's page, where a journey does not pass them.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Browser, SITES } from "./browser.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await Browser.start();
});
afterAll(() => browser.stop());

describe.each(SITES)("%s", (site) => {
  it("copy buttons give the very text", async () => {
    const watched = await browser.open(site, "model/Qwen/Qwen3-0.6B/");
    expect(await watched.copied("stack versions")).toContain("neuronx-cc 2.29.0\ntransformers 5.24.0");
    expect(await watched.copied("Cache command")).toMatch(/neuronxcc-2\.29\.0 \/tmp\/neff_cache/);
    expect(await watched.copied("Run command")).toBe("python3 run.py");
    expect(await watched.copied("Badge in Markdown")).toContain("badge/Qwen/Qwen3-0.6B.svg");
    expect(await watched.page.locator("pre.python .py-string").allTextContents()).toContain('"32 tokens"');
    await watched.close();
  });

  it("plan, time and history tell their numbers", async () => {
    const watched = await browser.open(site, "model/Qwen/Qwen3-0.6B/");
    const textOf = (name: string) => watched.page.getByRole("region", { name, exact: true }).innerText();
    expect(await textOf("Plan and memory")).toMatch(/9\.00 GiB of 24\.0 GiB[\s\S]*2 cores[\s\S]*tensor parallel[\s\S]*7\.00 GiB[\s\S]*29 % above/);
    expect(await textOf("Time")).toMatch(/compile 39\.3 s[\s\S]*31\.0 tokens\/s[\s\S]*0 found, 2 compiled/);
    expect(await textOf("Every stack that was tried")).toMatch(/2\.29\.0[\s\S]*2\.28\.1[\s\S]*2\.27\.1/);
    await watched.close();
  });

  it("a failure tells stage, class and text, and leads to those that fail alike", async () => {
    const watched = await browser.open(site, "model/meta-llama/Llama-3.1-8B/");
    const card = watched.page.getByRole("region", { name: "What went wrong" });
    expect(await card.innerText()).toMatch(/unsupported op[\s\S]*the model[\s\S]*operator sort is not supported/);
    expect(await watched.copied("error text")).toContain("NCC_EUOC002");
    await card.getByRole("link", { name: "unsupported_op:NCC_EUOC002" }).click();
    await watched.page.getByRole("link", { name: "some/hostile-texts" }).waitFor();
    await watched.close();
  });

  it("an untested model says how to find out; asking is offered where somebody listens", async () => {
    const watched = await browser.open(site, "model/filler/model-01/");
    expect(await watched.copied("Plan command")).toBe("willitrun plan filler/model-01");
    expect(await watched.page.getByRole("link", { name: "Ask for a test" }).count()).toBe(site === "live" ? 1 : 0);
    await watched.close();
  });

  it("an emulated result is marked, and is no answer about Trainium", async () => {
    const watched = await browser.open(site, "model/openai-community/gpt2/?target=trn2-emulated");
    expect(await watched.page.locator(".verdict").innerText()).toMatch(/PASS\s+emulated/);
    await watched.page.getByText("never counted as a Trainium PASS").waitFor();
    await watched.page.goto(new URL("model/openai-community/gpt2/", watched.root).href);
    await watched.settled();
    expect(await watched.page.locator(".verdict").innerText()).toContain("UNTESTED");
    await watched.close();
  });
});
