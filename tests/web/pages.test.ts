// Every page in both forms of the site: shown, accessible in both colour schemes, and usable on a telephone.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Browser, SITES } from "./browser.ts";

const PAGES: { name: string; path: string; shows: string }[] = [
  { name: "selected", path: "?rows=12", shows: "Qwen/Qwen3-0.6B" },
  { name: "trending", path: "?view=trending&rows=20", shows: "some/nobody-tried" },
  { name: "downloads", path: "?view=downloads&rows=12", shows: "AWQ weights are unpacked by CUDA kernels" },
  { name: "emulated", path: "?view=downloads&target=trn2-emulated&rows=12", shows: "A CPU imitates Trainium here" },
  { name: "no-match", path: "?view=downloads&q=zzzzqqqq", shows: "No " },
  { name: "bad-query", path: "?view=downloads&q=cores<=", shows: "That question has no answer" },
  { name: "model-pass", path: "model/Qwen/Qwen3-0.6B/", shows: "equal but for a near tie" },
  { name: "model-fail", path: "model/meta-llama/Llama-3.1-8B/", shows: "operator sort is not supported" },
  { name: "model-hostile", path: "model/some/hostile-texts/", shows: "<script>document.title=2</script>" },
  { name: "model-untested", path: "model/some/nobody-tried/", shows: "Nobody has tested this model here yet" },
  { name: "model-excluded", path: "model/some/model-AWQ/", shows: "Deliberately not tested" },
  { name: "model-foreign", path: "model/some/other-words/", shows: "PARTIAL" },
  { name: "compare", path: "compare/", shows: "indeterminate" },
  { name: "failures", path: "failures/", shows: "unsupported_op:NCC_EUOC002" },
  { name: "coverage", path: "coverage/", shows: "From stack to stack" },
  { name: "queue", path: "queue/", shows: "Test requests" },
  { name: "data", path: "data/", shows: "What the columns mean" },
];
let browser: Browser;
beforeAll(async () => {
  browser = await Browser.start();
});
afterAll(() => browser.stop());

describe.each(SITES)("%s", (site) => {
  // A bad question is answered with status 400, which browsers tell the console.
  const expected = /status of 400/;

  it.each(PAGES)("shows $name", async ({ name, path, shows }) => {
    const watched = await browser.open(site, path);
    const { page } = watched;
    expect(await page.locator("body").innerText()).toContain(shows);
    expect(await page.title(), "markup in a text did something").toContain("willitrun");
    await watched.check(`${name}-${site}-light`);
    if (site === "live") {
      const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      const light = await background();
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await background(), "dark is another colour").not.toBe(light);
      await watched.check(`${name}-${site}-dark`, ["color-contrast"]);
      await page.emulateMedia({ colorScheme: "light" });
      await page.setViewportSize({ width: 360, height: 740 });
      await watched.check(`${name}-${site}-narrow`, ["color-contrast", "scrollable-region-focusable"]);
    }
    await watched.close(expected);
  });
});
