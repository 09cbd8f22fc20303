import type { ListRoute } from "./route.ts";

/// A search as the API takes it: `q` for a part of a name, `where` for anything more.
export interface Search {
  q: string;
  where: string;
}

/// Tells whether a text is in the query language rather than a part of a name.
export function isQuery(text: string): boolean {
  return /[:<>=()"!|]/.test(text) || /(^|\s)(not|or|and)\s/i.test(text);
}

function verdictCondition(verdict: string): string {
  return verdict === "" ? "" : `verdict:"${verdict.replaceAll('"', "")}"`;
}

/// Puts together what the box, the chosen verdict and the sorted column ask for. The box's text is put in parentheses when it has
/// an `or`, which would bind looser than the rest; a query with its own `sort:` keeps it.
export function searchOf(route: Pick<ListRoute, "text" | "verdict" | "sort">): Search {
  const text = route.text.trim();
  const own = isQuery(text) ? text : "";
  const hasSort = /(^|\s)sort:/i.test(own);
  const query = /\sor\s/i.test(own) && !hasSort ? `(${own})` : own;
  const sort = route.sort && !hasSort ? `sort:${route.sort}` : "";
  return { q: own ? "" : text, where: [verdictCondition(route.verdict), query, sort].filter(Boolean).join(" ") };
}
