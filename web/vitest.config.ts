import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const packageOf = (name: string) => fileURLToPath(new URL(`node_modules/${name}`, import.meta.url));

// One worker for everything: starting workers costs more than the tests, and browsers share the machine's few cores badly.
const oneWorker = { pool: "threads", isolate: false, maxWorkers: 1, fileParallelism: false } as const;

export default defineConfig({
  test: {
    ...oneWorker,
    projects: [
      // Beside the sources: pure functions, no browser.
      { test: { ...oneWorker, name: "unit", include: ["src/**/*.test.ts"], environment: "node" } },
      // The built page in a real Chromium, from a real server and from a plain file server.
      {
        resolve: { alias: { "playwright-core": packageOf("playwright-core/index.mjs"), "axe-core": packageOf("axe-core/axe.js") } },
        server: { fs: { allow: [".."] } },
        test: {
          ...oneWorker,
          name: "browser",
          dir: "../tests/web",
          include: ["**/*.test.ts"],
          globalSetup: "../tests/web/sites.ts",
          environment: "node",
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
