/// The list of models of a static site, worked out in the browser: the same answers as the server's lookup (src/lookup/view.h)
/// for view, task, text, stack, verdict and sorting.

import type { ListRoute } from "../route/route.ts";
import { isQuery } from "../route/query.ts";
import { matchName } from "../view/match.ts";
import { resultOf } from "../view/outcome.ts";
import { AnswerError } from "./source.ts";
import type { CompactTable, Coverage, ListAnswer, ResultIndex, Row } from "./types.ts";

/// A model of the index with its result. The index knows more than a row shows.
type Entry = Row & { selected_rank?: number; trending_score?: number };

function objectOf(columns: string[], values: (string | number | boolean | null)[]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  columns.forEach((name, i) => {
    if (values[i] !== null && values[i] !== undefined) object[name] = values[i];
  });
  return object;
}

/// Joins models and results. A model without a result is excluded or untested.
function entriesOf(index: CompactTable, results: ResultIndex | null): Entry[] {
  const entries = index.rows.map((values) => objectOf(index.columns, values) as unknown as Entry);
  for (const entry of entries) entry.verdict = entry.exclusion ? "EXCLUDED" : "UNTESTED";
  for (const values of results?.rows ?? []) {
    const { model, ...fields } = objectOf(results!.columns, values);
    const entry = entries[model as number];
    if (entry) Object.assign(entry, { target: results!.target, neuronx_cc: results!.stack?.neuronx_cc, transformers: results!.stack?.transformers }, fields);
  }
  return entries;
}

function isInView(entry: Entry, route: ListRoute): boolean {
  if (route.task !== "" && entry.task !== route.task) return false;
  if (route.view === "selected") return entry.selected_rank !== undefined;
  return route.view === "downloads" || entry.trending_rank !== undefined;
}

function viewOrder(route: ListRoute): ((a: Entry, b: Entry) => number) | null {
  if (route.view === "selected") return (a, b) => a.selected_rank! - b.selected_rank!;
  if (route.view === "downloads") return null;
  // Places are per task: over all tasks the score decides.
  if (route.task !== "") return (a, b) => a.trending_rank! - b.trending_rank!;
  return (a, b) => (b.trending_score ?? 0) - (a.trending_score ?? 0);
}

function coverageOf(entries: Entry[]): Coverage {
  const parts = new Map<string, { models: number; downloads: number }>();
  let downloads = 0;
  for (const entry of entries) {
    const part = parts.get(resultOf(entry)) ?? { models: 0, downloads: 0 };
    part.models += 1;
    part.downloads += entry.downloads ?? 0;
    downloads += entry.downloads ?? 0;
    parts.set(resultOf(entry), part);
  }
  const pass = parts.get("PASS");
  const share = downloads > 0 ? (pass?.downloads ?? 0) / downloads : entries.length > 0 ? (pass?.models ?? 0) / entries.length : 0;
  return {
    models: entries.length,
    downloads,
    pass_share_of_downloads: share,
    verdicts: [...parts].map(([verdict, part]) => ({ verdict, ...part })),
  };
}

function valueOf(entry: Entry, field: string): string | number | null {
  const name = field === "model" ? "model_id" : field;
  const value = name === "verdict" ? resultOf(entry) : (entry as unknown as Record<string, unknown>)[name];
  return typeof value === "string" ? value.toLowerCase() : typeof value === "number" ? value : null;
}

/// Sorts by a column, as the server does: upper and lower case are equal; models without a value come last, equal ones keep their order.
function sortBy(entries: Entry[], sort: string): Entry[] {
  const descending = sort.startsWith("-");
  const field = descending ? sort.slice(1) : sort;
  return [...entries].sort((a, b) => {
    const [x, y] = [valueOf(a, field), valueOf(b, field)];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    const order = x < y ? -1 : x > y ? 1 : 0;
    return descending ? -order : order;
  });
}

function findText(entries: Entry[], text: string): { found: Entry[]; relaxed: boolean } {
  if (text === "") return { found: entries, relaxed: false };
  const matches = entries.map((entry) => matchName(entry.model_id, text));
  const relaxed = !matches.includes("exact") && matches.includes("relaxed");
  return { found: entries.filter((_, i) => matches[i] === (relaxed ? "relaxed" : "exact")), relaxed };
}

/// Answers a list. Queries need a server.
export function listAnswer(index: CompactTable, results: ResultIndex | null, route: ListRoute): ListAnswer {
  const text = route.text.trim();
  if (isQuery(text)) throw new AnswerError(400, "queries need a running server; this copy of the site finds parts of names");
  const order = viewOrder(route);
  const view = entriesOf(index, results).filter((entry) => isInView(entry, route));
  if (order) view.sort(order);
  const { found, relaxed } = findText(view, text);
  const kept = route.verdict ? found.filter((entry) => resultOf(entry) === route.verdict) : found;
  const sorted = route.sort ? sortBy(kept, route.sort) : kept;
  return {
    rows: sorted.slice(0, route.count),
    total: sorted.length,
    next: null,
    stack: results?.stack ?? null,
    target: route.target,
    relaxed,
    coverage: coverageOf(view),
  };
}
