/// Shows where a search text matches in a name, by the same rules as the search itself (src/search/name_query.h).

/// A piece of a name; pieces in order make the whole name.
export interface Segment {
  text: string;
  matched: boolean;
}

/// Upper and lower case are equal, and so are `-`, `_`, `.` and the space. One character gives one character.
function fold(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/[_. ]/g, "-");
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter(Boolean).map(fold);
}

/// Letters and the digits after them as separate words: `llama3.1` also finds `Llama-3.1`.
function relax(words: string[]): string[] {
  return words.flatMap((word) => word.split(/(?<=[a-z])(?=[0-9])/));
}

function marksOf(name: string, words: string[]): boolean[] | null {
  const folded = fold(name);
  const marks = new Array<boolean>(name.length).fill(false);
  for (const word of words) {
    const first = folded.indexOf(word);
    if (first < 0) return null;
    for (let at = first; at >= 0; at = folded.indexOf(word, at + 1)) marks.fill(true, at, at + word.length);
  }
  return marks;
}

/// Tells whether a name matches, and whether only with letters and digits apart.
export function matchName(name: string, text: string): "exact" | "relaxed" | null {
  const words = wordsOf(text);
  if (marksOf(name, words)) return "exact";
  return marksOf(name, relax(words)) ? "relaxed" : null;
}

/// Cuts a name into matched and other pieces.
export function segments(name: string, text: string): Segment[] {
  const words = wordsOf(text);
  const marks = words.length === 0 ? null : (marksOf(name, words) ?? marksOf(name, relax(words)));
  if (!marks) return [{ text: name, matched: false }];
  const pieces: Segment[] = [];
  for (let at = 0; at < name.length; ++at) {
    const last = pieces.at(-1);
    if (last && last.matched === marks[at]) last.text += name[at];
    else pieces.push({ text: name[at] ?? "", matched: marks[at] === true });
  }
  return pieces;
}
