import type { HistoryLine } from "../data/types.ts";

/// Says what a line of stacks tells about the model.
export function conclusionOf(line: HistoryLine): string {
  if (line.works_since) {
    const first = line.since_first_result ? " (the oldest result: it may have worked before)" : "";
    return `Works since ${line.works_since}${first}`;
  }
  if (line.first_bad) return `Last good ${line.last_good}, first bad ${line.first_bad}`;
  return line.transitions.length === 0 ? "No conclusive result" : "Has not worked yet";
}

/// Lines that say something: a change, or more than one result.
export function tellingLines(lines: HistoryLine[]): HistoryLine[] {
  const results = (line: HistoryLine) => line.transitions.reduce((sum, transition) => sum + transition.results, 0);
  return lines.filter((line) => results(line) > 1);
}
