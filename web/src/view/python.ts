/// Colours Python by its tokens: just enough for run.py.

export type TokenKind = "comment" | "string" | "keyword" | "number" | "plain";

export interface Token {
  kind: TokenKind;
  text: string;
}

const KEYWORDS =
  "and as assert break class continue def del elif else except False finally for from global if import in is lambda None nonlocal not or pass raise return True try while with yield";

const PATTERN = new RegExp(
  [
    "(?<comment>#[^\\n]*)",
    "(?<string>[rbfRBF]{0,2}(?:\"\"\"[\\s\\S]*?(?:\"\"\"|$)|'''[\\s\\S]*?(?:'''|$)|\"(?:\\\\.|[^\"\\\\\\n])*\"?|'(?:\\\\.|[^'\\\\\\n])*'?))",
    `(?<keyword>\\b(?:${KEYWORDS.replaceAll(" ", "|")})\\b)`,
    "(?<number>\\b\\d[\\w.]*)",
    "(?<plain>[A-Za-z_]\\w*|[\\s\\S])",
  ].join("|"),
  "g",
);

/// Cuts a script into coloured tokens; their texts in order are the script.
export function tokens(script: string): Token[] {
  const found: Token[] = [];
  for (const match of script.matchAll(PATTERN)) {
    const [kind, text] = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined) as [TokenKind, string];
    const last = found.at(-1);
    if (last && last.kind === kind && kind === "plain") last.text += text;
    else found.push({ kind, text });
  }
  return found;
}
