// One Chromium for all tests, and pages that watch themselves: an error in the console, an exception or a request to another
// host fails the test that caused it.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import axe from "axe-core";
import { chromium, type BrowserContext, type Page } from "playwright-core";
import { expect, inject } from "vitest";

const SCREENSHOTS = fileURLToPath(new URL("../../build/test-reports/screenshots/", import.meta.url));
const PATIENCE_MS = 30_000;

export type SiteName = "live" | "files";
export const SITES: readonly SiteName[] = ["live", "files"];

// Debian's build; root has no sandbox of Chromium's, and nothing may be fetched in the background.
const OPTIONS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync",
];

export class Browser {
  private constructor(private readonly context: BrowserContext, private readonly profile: string) {}

  static async start(): Promise<Browser> {
    const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
    const profile = mkdtempSync(join(tmpdir(), "willitrun-chromium-"));
    const context = await chromium.launchPersistentContext(profile, {
      executablePath, args: OPTIONS, acceptDownloads: true, permissions: ["clipboard-read", "clipboard-write"],
      colorScheme: "light", reducedMotion: "reduce", viewport: { width: 1280, height: 900 },
    });
    context.setDefaultTimeout(PATIENCE_MS);
    return new Browser(context, profile);
  }

  /// Opens an address of a site.
  async open(site: SiteName, path: string): Promise<Watched> {
    const watched = new Watched(await this.context.newPage(), inject(site));
    await watched.page.goto(new URL(path, watched.root).href);
    await watched.settled();
    return watched;
  }

  async stop(): Promise<void> {
    await this.context.close();
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/// A page that remembers what went wrong on it.
export class Watched {
  private readonly troubles: string[] = [];

  constructor(readonly page: Page, readonly root: string) {
    page.on("console", (message) => {
      if (message.type() === "error") this.troubles.push(message.text());
    });
    page.on("pageerror", (error) => this.troubles.push(String(error)));
    page.on("request", (request) => {
      const url = request.url();
      if (/^(https?|wss?):/.test(url) && new URL(url).host !== new URL(root).host) this.troubles.push(`asked another host: ${url}`);
    });
  }

  /// Waits until nothing is being loaded any more.
  async settled(): Promise<void> {
    await this.page.locator("main h1, main .notice, main .verdict").first().waitFor();
    await this.page.waitForFunction(() => !document.querySelector(".skeleton, [aria-busy=true]"));
  }

  /// The models of the list, once it is there.
  async names(): Promise<string[]> {
    await this.settled();
    return this.page.locator(".row-link").allTextContents();
  }

  /// What a copy button puts into the clipboard.
  async copied(label: string): Promise<string> {
    await this.page.getByRole("button", { name: `Copy: ${label}`, exact: true }).click();
    await this.page.getByRole("button", { name: `Copied: ${label}`, exact: true }).waitFor();
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  /// The address below the site's root.
  get path(): string {
    return this.page.url().slice(this.root.length);
  }

  /// Ends the page; fails when anything went wrong on it but what matches `expected`.
  async close(expected?: RegExp): Promise<void> {
    await this.page.close();
    expect(this.troubles.filter((trouble) => !expected?.test(trouble))).toEqual([]);
  }

  /// Keeps a picture for people, and fails on serious faults of accessibility and on sideways scrolling. `rules` are axe's that may
  /// answer otherwise than in the look that was checked before; without them all are asked.
  async check(name: string, rules?: string[]): Promise<void> {
    mkdirSync(SCREENSHOTS, { recursive: true });
    await this.page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
    const width = await this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(width, "pixels that stand out sideways").toBeLessThanOrEqual(0);
    // The page's security policy lets no script in but its own; evaluate is outside of it.
    await this.page.evaluate(axe.source);
    const violations = await this.page.evaluate(async (only) => {
      const runner = (globalThis as unknown as { axe: typeof axe }).axe;
      const { violations } = await runner.run(document, only ? { runOnly: only } : {});
      return violations.map(({ id, impact, nodes }) => ({ id, impact, where: nodes.map((node) => node.target.join(" ")) }));
    }, rules);
    expect(violations.filter(({ impact }) => impact === "serious" || impact === "critical")).toEqual([]);
  }
}
