/// Tokens side by side with the reference's: a box for each, marked from the first that differs.
export function TokenStrip({ tokens, reference }: { tokens: number[]; reference: number[] }) {
  const count = Math.max(tokens.length, reference.length);
  const equal = Array.from({ length: count }, (_, i) => tokens[i] !== undefined && tokens[i] === reference[i]);
  const same = equal.filter(Boolean).length;
  return (
    <div class="token-strip" role="img" aria-label={`${same} of ${count} tokens equal the reference's`}>
      {equal.map((isEqual, i) => (
        <span key={i} class={isEqual ? "token-same" : "token-other"} title={`token ${i + 1}: ${tokens[i] ?? "none"}, reference ${reference[i] ?? "none"}`} />
      ))}
      <span class="muted">
        {same} of {count} tokens equal
      </span>
    </div>
  );
}
