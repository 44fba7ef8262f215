/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** Whether no joint (`-`, `_`, `.`, `/`, `@`) ties the word that starts there to what stands before it. */
export function startsFree(text: string, start: number): boolean {
  const unit = start === 0 ? 0 : unitAt.call(text, start - 1);
  return unit !== 0x2d && unit !== 0x5f && unit !== 0x2e && unit !== 0x2f && unit !== 0x40;
}
