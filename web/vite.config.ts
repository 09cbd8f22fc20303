import { defineConfig } from "vite";
import { precompress } from "./precompress.ts";

export default defineConfig({
  // Addresses relative to the document's base: the same files work below any path.
  base: "./",
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    // The page's content security policy allows no data: addresses.
    assetsInlineLimit: 0,
    // duckdb-wasm is megabytes, and loaded only by those who ask a question in SQL.
    chunkSizeWarningLimit: 1000,
    reportCompressedSize: false,
  },
  plugins: [precompress()],
});
