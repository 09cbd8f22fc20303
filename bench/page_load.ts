// Opens the first page of a site in new windows of Chromium, each with an empty cache, and prints what that took as JSON:
// [{"bytes": sent over the wire, "interactive_ms": the search box is there, "complete_ms": the rows are there}]
//   node bench/page_load.ts URL TIMES     (bench/page_load.py starts the server)
import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../web/package.json", import.meta.url))("playwright-core");
const [url, times] = process.argv.slice(2);

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const loads = [];
for (let i = 0; i < Number(times); ++i) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => {
    const seen = ((globalThis as any).seen = {} as Record<string, number>);
    new MutationObserver(() => {
      if (document.querySelector(".search input")) seen.interactive_ms ??= performance.now();
      if (document.querySelector(".row-link")) seen.complete_ms ??= performance.now();
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(url!);
  await page.locator(".row-link").first().waitFor();
  loads.push(
    await page.evaluate(() => ({
      bytes: (performance.getEntries() as PerformanceResourceTiming[]).reduce((sum, entry) => sum + (entry.transferSize || 0), 0),
      ...(globalThis as any).seen,
    })),
  );
  await context.close();
}
await browser.close();
console.log(JSON.stringify(loads));
