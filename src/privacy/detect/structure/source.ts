import type { KeyPath, Keys } from '../keys.js';
import type { Found } from '../stretch-scanner.js';
import { SIGNS } from '../words.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** A text that is being walked: the document itself, or the content of a string in it. */
export interface Source {
  readonly text: string;
  /** How many strings deep: 0 is the document. */
  readonly depth: number;
  /** Takes offsets in `text`. */
  readonly found: Found;
}

/** Takes what the walkers find. Offsets in `source.text`. */
export interface Visitor {
  readonly keys: Keys;
  /**
   * A whole value: what stands in quotes, in a cell, behind a key. May hold a structure of its own.
   *
   * @param signs which signs are in it, by the bits of `WordBuffer.signs`.
   */
  value(source: Source, from: number, to: number, path: KeyPath, signs: number): void;
  /** The same, with the escapes of a JSON string in it. */
  escapedValue(source: Source, from: number, to: number, path: KeyPath): void;
  /** Text between values; or one value whose lines were looked at (`isValue`). */
  prose(source: Source, from: number, to: number, path: KeyPath, isValue: boolean): void;
}

/** The bits of all signs between two offsets. */
export function signsBetween(text: string, from: number, to: number): number {
  let signs = 0;
  for (let at = from; at < to; at++) {
    const unit = unitAt.call(text, at);
    if (unit < 128) signs |= SIGNS[unit] as number;
  }
  return signs;
}

/** The offset of the first character between two offsets that is no blank, tab or line end; `to` if there is none. */
export function skipBlanks(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && isBlank(unitAt.call(text, at))) at++;
  return at;
}

/** The offset behind the last character that is no blank. */
export function trimBlanks(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && isBlank(unitAt.call(text, end - 1))) end--;
  return end;
}

export function isBlank(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13) || unit === 0xa0 || unit === 0xfeff;
}

/** The offset of the quote that ends a string, or -1. `\` takes the next character's meaning away. */
export function endOfString(text: string, from: number, to: number, quote: number): number {
  for (let at = from; at < to; at++) {
    const unit = unitAt.call(text, at);
    if (unit === quote) return at;
    if (unit === 92 /* \ */) at++;
  }
  return -1;
}
