/// Where a generated text parts from its reference.
export interface Difference {
  same: string;
  generated: string;
  reference: string;
}

/// Cuts both texts behind the part that is equal, never inside a character that takes two code units.
export function difference(generated: string, reference: string): Difference {
  let at = 0;
  while (at < generated.length && at < reference.length && generated[at] === reference[at]) ++at;
  const isInsidePair = at > 0 && /[\uD800-\uDBFF]/.test(generated[at - 1]!);
  if (isInsidePair) --at;
  return { same: generated.slice(0, at), generated: generated.slice(at), reference: reference.slice(at) };
}
