// Starts what the tests look at: one home with a result of every kind, as a live server and as files (tests/http/sample_site.py).
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

declare module "vitest" {
  interface ProvidedContext {
    /// Roots of the two forms of the site, with a slash at the end.
    live: string;
    files: string;
    /// The program, its home, and a result that the home does not have yet.
    program: string;
    home: string;
    late: string;
  }
}

const root = fileURLToPath(new URL("../../", import.meta.url));

export default async function setup(project: { provide: (name: "live" | "files" | "program" | "home" | "late", value: string) => void }) {
  const folder = mkdtempSync(join(tmpdir(), "willitrun-web-"));
  const binary = process.env["WILLITRUN_BINARY"] ?? join(root, "build/release/bin/willitrun");
  const process_ = spawn(join(root, ".venv/bin/python"), [join(root, "tests/http/sample_site.py"), binary, join(root, "web/dist"), folder], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => process_.once("exit", () => resolve()));
  const lines = createInterface({ input: process_.stdout });
  const first = await Promise.race([lines[Symbol.asyncIterator]().next(), ended]);
  if (!first || first.done) throw new Error("tests/http/sample_site.py ended before it served anything");
  const sites = JSON.parse(first.value) as { live: string; files: string; home: string };
  project.provide("live", sites.live);
  project.provide("files", sites.files);
  project.provide("program", binary);
  project.provide("home", sites.home);
  project.provide("late", join(folder, "late.parquet"));
  return async () => {
    process_.stdin.end();
    await ended;
    rmSync(folder, { recursive: true });
  };
}
