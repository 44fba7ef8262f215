import type { KeyPath, Keys } from '../keys.js';
import type { Found, StretchScanner } from '../stretch-scanner.js';
import { unescapeJson } from '../unescape-json.js';
import { SAW_BRACKET, SAW_COLON, SAW_EQUALS, SAW_LINE_END } from '../words.js';
import { DullValues } from './dull-values.js';
import { type Source, signsBetween, type Visitor } from './source.js';
import { walkText } from './walk-text.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** Strings in strings that are opened: JSON in a string of JSON in a result, and two more. */
const DEEPEST = 4;

/** Hands the values and the prose of a document to the scanner. */
export class DocumentWalker implements Visitor {
  readonly keys: Keys;
  readonly #scanner: StretchScanner;
  readonly #dull = new DullValues();

  constructor(keys: Keys, scanner: StretchScanner) {
    this.keys = keys;
    this.#scanner = scanner;
  }

  /** Text of any form. */
  document(text: string, found: Found): void {
    walkText({ text, depth: 0, found }, 0, text.length, this.keys.root, this);
  }

  /** A string that stands under keys. */
  string(text: string, path: KeyPath, found: Found): void {
    this.value({ text, depth: 0, found }, 0, text.length, path, signsBetween(text, 0, text.length));
  }

  value(source: Source, from: number, to: number, path: KeyPath, signs: number): void {
    const { text, depth, found } = source;
    if ((signs & STRUCTURE) !== 0 && depth < DEEPEST && isStructured(text, from, to, signs)) {
      // A text of its own: a search for the end of a line must not run on to the end of the document.
      const inner: Found = (start, end, bit) => found(from + start, from + end, bit);
      walkText({ text: text.slice(from, to), depth: depth + 1, found: inner }, 0, to - from, path, this);
      return;
    }
    const column = this.#dull.of(path, to - from);
    const value = column ? text.slice(from, to) : '';
    if (column?.has(value)) return;
    this.#scanner.scan(text, from, to, path, true, found);
    if (this.#scanner.isDull) column?.add(value);
  }

  escapedValue(source: Source, from: number, to: number, path: KeyPath): void {
    const plain = unescapeJson(source.text, from, to);
    const { text } = plain;
    const found: Found = (start, end, bit) =>
      source.found(plain.sourceStart(start), plain.sourceEnd(end), bit);
    this.value(
      { text, depth: source.depth, found },
      0,
      text.length,
      path,
      signsBetween(text, 0, text.length),
    );
  }

  prose(source: Source, from: number, to: number, path: KeyPath, isValue: boolean): void {
    this.#scanner.scan(source.text, from, to, path, isValue, source.found);
  }
}

const STRUCTURE = SAW_LINE_END | SAW_BRACKET | SAW_EQUALS | SAW_COLON;

/** Times and addresses hold colons, sentences commas: what is worth a walk has a key, an element, JSON or a table. */
function isStructured(text: string, from: number, to: number, signs: number): boolean {
  if ((signs & SAW_EQUALS) !== 0 || to - from > LONGEST_SIMPLE) return true;
  if ((signs & SAW_LINE_END) !== 0) return (signs & (SAW_BRACKET | SAW_COLON)) !== 0;
  for (let at = from; at < to; at++) {
    const unit = unitAt.call(text, at);
    if (unit === 123 || unit === 91 || unit === 60) return true;
    if (unit !== 58 || at === from) continue;
    const behind = unitAt.call(text, at + 1);
    const before = unitAt.call(text, at - 1);
    if (behind !== 47 && behind !== 58 && (before < 48 || before > 57)) return true;
  }
  return false;
}

const LONGEST_SIMPLE = 2000;
