/// The key of a text: letters, digits, `.`, `_` and `-` stand for themselves, every other byte is `~` and two hexadecimal digits
/// (docs/formats/site.md). Keys name files and pages.
export function keyOf(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return Array.from(bytes, (byte) => {
    const letter = String.fromCharCode(byte);
    return /[A-Za-z0-9._-]/.test(letter) ? letter : `~${byte.toString(16).padStart(2, "0")}`;
  }).join("");
}
