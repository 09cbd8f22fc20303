import { segments } from "../view/match.ts";

/// A model's id with what was searched for marked. The owner is quieter than the name.
export function MatchedName({ id, text }: { id: string; text: string }) {
  const slash = id.indexOf("/");
  let at = 0;
  const pieces = segments(id, text).flatMap((piece) => {
    const begin = at;
    at += piece.text.length;
    const cut = slash + 1 - begin;
    const parts = cut > 0 && cut < piece.text.length ? [piece.text.slice(0, cut), piece.text.slice(cut)] : [piece.text];
    return parts.map((part, i) => ({ part, matched: piece.matched, owner: begin + (i === 0 ? 0 : cut) <= slash }));
  });
  return (
    <span class="model-name">
      {pieces.map(({ part, matched, owner }, i) => {
        const Tag = matched ? "mark" : "span";
        return (
          <Tag key={i} class={owner ? "owner" : undefined}>
            {part}
          </Tag>
        );
      })}
    </span>
  );
}
