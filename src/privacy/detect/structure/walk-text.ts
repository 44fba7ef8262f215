import type { KeyPath } from '../keys.js';
import { type Source, skipBlanks, type Visitor } from './source.js';
import { startsJson } from './starts-json.js';
import { walkJson } from './walk-json.js';
import { LineWalk } from './walk-lines.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/**
 * Walks a text of any form. What is JSON is walked as JSON, one document after another; the rest line by line. Each
 * part is looked at once, so the cost is linear whatever the text pretends to be.
 */
export function walkText(source: Source, from: number, to: number, path: KeyPath, visitor: Visitor): void {
  const { text } = source;
  let at = from;
  while (at < to) {
    const start = skipBlanks(text, at, to);
    if (start === to) return;
    if (!startsJson(text, start, to)) break;
    at = walkJson(source, start, to, path, visitor);
    if (at === start) break;
    // JSON lines are parted by a line end, other streams by a comma.
    if (unitAt.call(text, at) === 44 /* , */) at++;
  }
  if (at < to) new LineWalk(source, to, path, visitor).walk(at);
}
