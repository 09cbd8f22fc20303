import { ApiSource } from "./api_source.ts";
import { fetchJson } from "./fetch_json.ts";
import type { DataSource } from "./source.ts";
import type { Site } from "./types.ts";

/// Asks what kind of site this is and opens its data. The static form is loaded only where it is needed.
export async function openSource(root: string): Promise<DataSource> {
  const site = await fetchJson<Site>(new URL("site.json", root), new AbortController().signal);
  if (site.mode === "live") return new ApiSource(root, site);
  const { StaticSource } = await import("./static_source.ts");
  return new StaticSource(root, site);
}
