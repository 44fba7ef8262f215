import type { KeyPath, Keys } from '../keys.js';
import { endOfString, isBlank } from './source.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** A key and its value in running text. Offsets in the text. */
export interface Pair {
  keyFrom: number;
  valueFrom: number;
  valueTo: number;
  /** The offset behind the value and its quote. */
  next: number;
  path: KeyPath;
  /** The value goes on to the end of the line: more may belong to it. */
  isOpen: boolean;
}

/**
 * Where a separator stands (`:` or `=`): the key in front of it and the value behind it, if that is what they are.
 * Looks no further back than the longest key, and reads a value once.
 */
export class PairScanner {
  readonly #text: string;
  readonly #keys: Keys;
  readonly #pair: Pair;

  constructor(text: string, keys: Keys) {
    this.#text = text;
    this.#keys = keys;
    this.#pair = { keyFrom: 0, valueFrom: 0, valueTo: 0, next: 0, path: keys.root, isOpen: false };
  }

  /**
   * @param from the key starts no earlier.
   * @param lineFrom where the line starts.
   * @param base the path that the key is below.
   * @returns the same object each time; undefined when this is no pair.
   */
  at(separator: number, from: number, lineFrom: number, lineTo: number, base: KeyPath): Pair | undefined {
    const text = this.#text;
    const isColon = unitAt.call(text, separator) === 58;
    let behind = separator + 1;
    if (behind < lineTo && (unitAt.call(text, behind) === 61 || unitAt.call(text, behind) === 62)) {
      // `:=` and `=>` are one separator; `==` compares.
      if (!isColon && unitAt.call(text, behind) === 61) return undefined;
      behind++;
    }
    const glued = behind < lineTo && !isBlank(unitAt.call(text, behind));
    // `12:30`, `https://`, `fe80::1`: seen too often to look any closer.
    if (
      isColon &&
      glued &&
      NEVER_BEHIND_COLON.includes(text.charAt(behind)) &&
      isDigitOrSign(text, separator)
    )
      return undefined;
    const keyTo = this.#keyEnd(separator, from);
    const keyFrom = this.#keyStart(keyTo, from, lineFrom, isColon);
    if (keyFrom >= keyTo) return undefined;
    const key = text.slice(keyFrom, keyTo);
    const path = this.#keys.below(base, key);
    if (isColon && glued && !this.#mayFollowColon(behind, path)) return undefined;
    const pair = this.#pair;
    pair.keyFrom = keyFrom;
    pair.path = path;
    this.#value(pair, behind, lineTo, !isColon && glued);
    return pair;
  }

  /** Steps back over blanks, closing quotes and brackets between the key and the separator. */
  #keyEnd(separator: number, from: number): number {
    let at = separator;
    for (let steps = 0; at > from && steps < 6; steps++) {
      const unit = unitAt.call(this.#text, at - 1);
      if (unit !== 32 && unit !== 34 && unit !== 39 && unit !== 42 && unit !== 93 && unit !== 96) break;
      at--;
    }
    return at;
  }

  #keyStart(keyTo: number, from: number, lineFrom: number, isColon: boolean): number {
    const text = this.#text;
    const limit = Math.max(from, keyTo - LONGEST_KEY);
    let at = keyTo;
    let words = 1;
    let hasLetter = false;
    while (at > limit) {
      const unit = unitAt.call(text, at - 1);
      if (unit === 32) {
        if (!isColon || at - 2 < limit || unitAt.call(text, at - 2) === 32 || ++words > MOST_WORDS) break;
      } else if (isLetter(unit)) hasLetter = true;
      else if (!isKeyPart(unit)) break;
      at--;
    }
    while (at < keyTo && !isLetter(unitAt.call(text, at))) at++;
    if (!hasLetter) return keyTo;
    if (at > lineFrom && !this.#mayPrecedeKey(at, lineFrom)) return keyTo;
    return at;
  }

  /** A key starts a line or a list item, or follows a blank, a comma, a bracket, a quote. */
  #mayPrecedeKey(at: number, lineFrom: number): boolean {
    const text = this.#text;
    let before = at - 1;
    // Dashes, stars and hashes in front of a key belong to lists, headings and options.
    while (before >= lineFrom && at - before < 8 && LIST_SIGNS.includes(text.charAt(before))) before--;
    return before < lineFrom || BEFORE_KEY.includes(text.charAt(before));
  }

  /** Without a blank behind it a colon is a separator only where a quote follows or the key is a known one. */
  #mayFollowColon(behind: number, path: KeyPath): boolean {
    const unit = unitAt.call(this.#text, behind);
    if (unit === 34 || unit === 39) return true;
    if (unit === 58 || path.bits === 0 || this.#text.startsWith('//', behind)) return false;
    // `cc:b3:78:fd:21:ea` and `dead:beef::1`: the next colon comes soon.
    for (let at = behind; at < behind + 5; at++) if (unitAt.call(this.#text, at) === 58) return false;
    return true;
  }

  #value(pair: Pair, behind: number, lineTo: number, isGlued: boolean): void {
    const text = this.#text;
    let from = behind;
    while (from < lineTo && isBlank(unitAt.call(text, from))) from++;
    const quote = unitAt.call(text, from);
    if (from < lineTo && (quote === 34 || quote === 39 || quote === 96)) {
      const close = endOfString(text, from + 1, lineTo, quote);
      if (close !== -1 && endsValue(text, close + 1, lineTo)) {
        pair.valueFrom = from + 1;
        pair.valueTo = close;
        pair.next = close + 1;
        pair.isOpen = false;
        return;
      }
    }
    let to = from;
    if (isGlued) while (to < lineTo && !ENDS_VALUE.includes(text.charAt(to))) to++;
    pair.valueFrom = from;
    pair.valueTo = isGlued ? to : lineTo;
    pair.next = pair.valueTo;
    pair.isOpen = true;
  }
}

function endsValue(text: string, at: number, lineTo: number): boolean {
  return at >= lineTo || !isLetter(unitAt.call(text, at));
}

function isLetter(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || unit === 95 || unit > 191;
}

/** Digits, `-`, `.`, `/`, `(`, `)`, `[`, `#`, `'`, `$`. */
function isKeyPart(unit: number): boolean {
  if (unit >= 48 && unit <= 57) return true;
  return (
    unit === 45 ||
    unit === 46 ||
    unit === 47 ||
    unit === 40 ||
    unit === 41 ||
    unit === 91 ||
    unit === 35 ||
    unit === 39 ||
    unit === 36
  );
}

/** A digit in front of a colon, or a second sign behind it. */
function isDigitOrSign(text: string, separator: number): boolean {
  const before = unitAt.call(text, separator - 1);
  const behind = unitAt.call(text, separator + 1);
  return behind === 47 || behind === 58 || (before >= 48 && before <= 57);
}

const NEVER_BEHIND_COLON = '0123456789/:';
const LONGEST_KEY = 48;
const MOST_WORDS = 6;
const LIST_SIGNS = '-*#•>+';
const BEFORE_KEY = ' \t,;|([{"\'`?&<>!';
const ENDS_VALUE = ' \t&;,|)]}<>"\'`';
