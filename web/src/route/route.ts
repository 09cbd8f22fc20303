/// What the page shows, as an address and back (docs/formats/site.md). Addresses are relative to the site's root.

export type ViewName = "selected" | "trending" | "downloads";
export const VIEWS: readonly ViewName[] = ["selected", "trending", "downloads"];

export const DEFAULT_TARGET = "trn2";
export const PAGE_SIZE = 50;

/// The API gives no more rows at once.
export const MAX_ROWS = 500;

/// Which results to show. Empty versions: the newest stack that has results.
export interface StackChoice {
  target: string;
  compiler: string;
  library: string;
}

export interface ListRoute extends StackChoice {
  page: "models";
  view: ViewName;
  task: string;
  /// What stands in the search box: part of a name, or a query.
  text: string;
  /// The verdict that is kept; empty: all.
  verdict: string;
  /// A column, with `-` in front for the largest first; empty: the view's own order.
  sort: string;
  /// Rows to show.
  count: number;
}

export interface ModelRoute extends StackChoice {
  page: "model";
  id: string;
}

export interface CompareRoute {
  page: "compare";
  target: string;
  before: string;
  after: string;
  change: string;
}

export interface FailuresRoute extends StackChoice {
  page: "failures";
  /// Key of one cluster; empty: all.
  cluster: string;
}

export interface CoverageRoute {
  page: "coverage";
  target: string;
}

export interface QueueRoute {
  page: "queue";
  /// A model that was asked for from another page.
  model: string;
}

export interface DataRoute {
  page: "data";
  sql: string;
}

export type Route = ListRoute | ModelRoute | CompareRoute | FailuresRoute | CoverageRoute | QueueRoute | DataRoute;

export const NEWEST: StackChoice = { target: DEFAULT_TARGET, compiler: "", library: "" };

export const FIRST_PAGE: ListRoute = {
  page: "models", view: "selected", task: "", text: "", verdict: "", sort: "", count: PAGE_SIZE, ...NEWEST,
};

function stackOf(query: URLSearchParams): StackChoice {
  return { target: targetOf(query), compiler: query.get("neuronx_cc") ?? "", library: query.get("transformers") ?? "" };
}

function targetOf(query: URLSearchParams): string {
  return query.get("target") || DEFAULT_TARGET;
}

function listRoute(query: URLSearchParams): ListRoute {
  const view = query.get("view") as ViewName;
  const count = Number(query.get("rows"));
  return {
    page: "models",
    view: VIEWS.includes(view) ? view : "selected",
    task: query.get("task") ?? "",
    text: query.get("q") ?? "",
    verdict: query.get("result") ?? "",
    sort: query.get("sort") ?? "",
    count: Number.isInteger(count) && count > 0 ? Math.min(count, MAX_ROWS) : PAGE_SIZE,
    ...stackOf(query),
  };
}

/// Undoes percent-encoding; what is not encoded properly stays as it is.
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/// Reads an address: its path below the site's root, and its query part. Nothing when no page has that path.
export function parseRoute(path: string, search: string): Route | null {
  const query = new URLSearchParams(search);
  const [page, ...rest] = path.replace(/^index\.html$/, "").replace(/\/$/, "").split("/").map(decode);
  const [first, second] = rest;
  switch (page) {
    case "":
      return listRoute(query);
    case "model":
      if (!first || !second || rest.length > 2) return null;
      return { page: "model", id: first === "-" ? second : `${first}/${second}`, ...stackOf(query) };
    case "compare":
      return {
        page: "compare", target: targetOf(query), before: query.get("a") ?? "", after: query.get("b") ?? "",
        change: query.get("change") ?? "",
      };
    case "failures":
      return { page: "failures", cluster: first ?? "", ...stackOf(query) };
    case "coverage":
      return { page: "coverage", target: targetOf(query) };
    case "queue":
      return { page: "queue", model: query.get("model") ?? "" };
    case "data":
      return { page: "data", sql: query.get("sql") ?? "" };
    default:
      return null;
  }
}

/// Percent-encodes what a query part must not hold, and leaves `/`, `:` and `,` readable.
function encode(value: string): string {
  return encodeURIComponent(value).replace(/%(2F|3A|2C|40)/g, decodeURIComponent).replaceAll("%20", "+");
}

/// A model's id as two parts of a path; `-` stands for the owner of a model without one, such as a local folder.
export function modelPath(id: string): string {
  const parts = /^[^/]+\/[^/]+$/.test(id) ? id.split("/") : ["-", id];
  return parts.map(encodeURIComponent).join("/");
}

function pathOf(route: Route): string {
  switch (route.page) {
    case "models":
      return "";
    case "model":
      return `model/${modelPath(route.id)}/`;
    case "failures":
      return route.cluster ? `failures/${encodeURIComponent(route.cluster)}/` : "failures/";
    default:
      return `${route.page}/`;
  }
}

function parametersOf(route: Route): Record<string, string> {
  const target = "target" in route && route.target !== DEFAULT_TARGET ? route.target : "";
  const stack: Record<string, string> = "compiler" in route ? { target, neuronx_cc: route.compiler, transformers: route.library } : { target };
  switch (route.page) {
    case "models":
      return {
        view: route.view === "selected" ? "" : route.view,
        task: route.task,
        q: route.text,
        result: route.verdict,
        sort: route.sort,
        rows: route.count === PAGE_SIZE ? "" : String(route.count),
        ...stack,
      };
    case "compare":
      return { a: route.before, b: route.after, change: route.change, ...stack };
    case "queue":
      return { model: route.model };
    case "data":
      return { sql: route.sql };
    default:
      return stack;
  }
}

/// Writes a route as an address relative to the site's root: `./`, `model/Qwen/Qwen3-0.6B/`, `compare/?a=2.27&b=2.28`.
export function routeUrl(route: Route): string {
  const parts = Object.entries(parametersOf(route)).filter(([, value]) => value !== "");
  const query = parts.length === 0 ? "" : `?${parts.map(([name, value]) => `${name}=${encode(value)}`).join("&")}`;
  return `${pathOf(route) || "./"}${query}`;
}

/// The page of one model, with the stack that is being looked at.
export function modelUrl(id: string, { target, compiler, library }: StackChoice = NEWEST): string {
  return routeUrl({ page: "model", id, target, compiler, library });
}
