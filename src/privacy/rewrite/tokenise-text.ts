import { replaceFindings } from './replace-findings.js';
import type { Replacing } from './replacing.js';

/**
 * A text with tokens in place of its values. JSON inside it stays JSON, and `vault.restore` gives the text back byte
 * for byte: a value is kept as it is spelt, with its escapes, and tokens that the text already holds are escaped by
 * tokens of their own.
 */
export function tokeniseText(text: string, using: Replacing): string {
  return replaceFindings(text, using.detection.inText(text), using, using.vault.tokensIn(text));
}
