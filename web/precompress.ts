import { readFile, readdir, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Plugin } from "vite";

const TEXTS = new Set([".html", ".js", ".css", ".svg", ".wasm"]);

/// Below this a compressed file is no smaller on the wire: it is one packet either way.
const SMALLEST_BYTES = 1024;

/// Above this the last level takes seconds and saves one per cent.
const LARGE_BYTES = 1 << 20;

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < SMALLEST_BYTES) return;
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: content.length < LARGE_BYTES ? 9 : 6 }));
}

/// Writes `x.gz` beside every file `x` of the build that compresses well: the server sends it as it is. index.html has none,
/// because the server fills it in.
export function precompress(): Plugin {
  let folder = "";
  return {
    name: "precompress",
    apply: "build",
    configResolved(config) {
      folder = config.build.outDir;
    },
    async closeBundle() {
      const files = await readdir(folder, { recursive: true });
      await Promise.all(files.filter((file) => TEXTS.has(extname(file)) && file !== "index.html").map((file) => compress(join(folder, file))));
    },
  };
}
