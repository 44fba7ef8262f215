import { pastSeparator } from './separator.js';
import {
  addLetter,
  BASE32_VALUES,
  CHARS_AFTER_TYPE,
  CHARS_BEFORE_TAG,
  MAX_TYPE_LETTERS,
  NEVER_LAST,
  NO_VALUE,
} from './token-text.js';

/**
 * Where a token may begin: `p` with an `i` or a separator behind it and another `i` near, or a number of 16 digits that
 * starts with 8 (also as `8.12...e15`). One expression for both is one pass; with fixed first characters it runs at half a
 * gigabyte a second. What it lets through ends at the second character of the text token, or with the number. No
 * stretch that it looks ahead through holds a `p`, so each is looked through once.
 */
const ANCHOR =
  /8(?<!\d\d)(?:\d{15}|\.\d{1,15}[eE]\+?15)(?!\d)|[pP](?:[iI](?=[iI\\%&_\-\u0080-\uffff])|[\\%&_\-\u0080-\uffff](?=[^\s"'pP]{0,40}?[iI][^\s"'pP]{0,40}?[iI]))/g;

/** A number right behind a token, whatever digit the token ends with. */
const NUMBER_HERE = /8(?:\d{15}|\.\d{1,15}[eE]\+?15)(?!\d)/y;
const GOES_ON = /^(?:\.\d|[eE][+-]?\d)/;
const NUMBER_DIGITS = 16;
/** Of a fraction, with its point. */
const MAX_ZEROS = 20;
const PLUS = 43;
const POINT = 46;
const ZERO = 48;
const EIGHT = 56;
const SMALL_E = 101;

const LETTER = 1;
const DIGIT = 2;
/** Letters from the `P` on in a token, at most. */
const MAX_LETTERS = 3 + MAX_TYPE_LETTERS;
/** A power of two less one, and no less than that. */
const PLACES = 31;

/**
 * Finds what looks like a token of any vault, from left to right, in time linear in the text. Knows no keys: whose token
 * it is, the caller decides, and calls {@link TokenScanner.accept} to go on behind it.
 */
export class TokenScanner {
  /** UTF-16 offsets of what was found last. */
  start = 0;
  end = 0;
  isNumber = false;
  /** What a text token says. */
  counter = 0;
  spelling = 0;
  tag = 0;
  lettersHash = 0;
  /** The value of a number. */
  number = 0;
  readonly #text: string;
  #at = 0;
  /** Before this no text token begins: a stretch of letters that was read to its end and leads to none. */
  #barrenUntil = 0;
  /** Places of the latest letters of a stretch. */
  readonly #places = new Int32Array(PLACES + 1);
  #letters = 0;

  /** Behind a token: what stands before is no part of a number there. */
  #isFresh = false;

  /**
   * @param inAnyContext also numbers that go on as `.5` or `e3`. What stands around a number may become a token, so whoever
   * tokenises a text must know of them all.
   */
  constructor(
    text: string,
    private readonly inAnyContext = false,
  ) {
    this.#text = text;
  }

  next(): boolean {
    for (;;) {
      const behind = this.#nextAnchor();
      if (behind < 0) return false;
      if (classAt(this.#text, behind - 1) & DIGIT) {
        this.#at = behind;
        if (this.#readNumber(behind)) return true;
        continue;
      }
      this.#at = behind - 1;
      if (behind - 2 >= this.#barrenUntil && this.#readToken(behind - 2)) return true;
      this.#at = Math.max(this.#at, this.#barrenUntil);
    }
  }

  /** The thing found is a token: nothing inside it is looked at again. */
  accept(): void {
    this.#at = this.end;
    this.#isFresh = true;
  }

  /** The token as a vault writes it: upper case, nothing between the characters; of a number the 16 digits. */
  token(): string {
    return this.isNumber ? String(this.number) : bare(this.#text.slice(this.start, this.end)).toUpperCase();
  }

  /** Index behind the next anchor, or -1. */
  #nextAnchor(): number {
    const at = this.#at;
    if (this.#isFresh && at < this.#text.length && this.#text.charCodeAt(at) === EIGHT) {
      NUMBER_HERE.lastIndex = at;
      if (NUMBER_HERE.test(this.#text)) return NUMBER_HERE.lastIndex;
    }
    this.#isFresh = false;
    ANCHOR.lastIndex = at;
    return ANCHOR.test(this.#text) ? ANCHOR.lastIndex : -1;
  }

  #readToken(start: number): boolean {
    const first = this.#pastI(this.#pastI(start + 1));
    if (first < 0) return false;
    const at = this.#pastLetters(first);
    const isDigit = (classAt(this.#text, at) & DIGIT) !== 0;
    // Anchors inside these letters lead to the same end: read once, or a text of letters would take quadratic time.
    if (!isDigit) this.#barrenUntil = at;
    else if (this.#letters > MAX_TYPE_LETTERS) this.#barrenUntil = this.#placeBefore(MAX_LETTERS);
    if (!isDigit || this.#letters > MAX_TYPE_LETTERS || this.#letters === 0) return false;
    this.spelling = this.#text.charCodeAt(at) - ZERO;
    this.end = this.#pastFields(at + 1);
    this.start = start;
    this.isNumber = false;
    return this.end > 0;
  }

  /** Index behind an `i` and the separators before it; -1 when none is there. */
  #pastI(from: number): number {
    if (from < 0) return from;
    const text = this.#text;
    for (let at = from; at < text.length; ) {
      if ((text.charCodeAt(at) | 32) === 105) return at + 1;
      const next = pastSeparator(text, at);
      if (next === at) return -1;
      at = next;
    }
    return -1;
  }

  /** Index of the first thing that is no letter. */
  #pastLetters(from: number): number {
    const text = this.#text;
    const length = text.length;
    const places = this.#places;
    let at = from;
    let letters = 0;
    let hash = 0;
    while (at < length) {
      const code = text.charCodeAt(at);
      const kind = CLASSES[code];
      if (kind === LETTER) {
        hash = addLetter(hash, code);
        places[letters & PLACES] = at;
        letters += 1;
        at += 1;
      } else if (kind === DIGIT) break;
      else {
        const next = pastSeparator(text, at);
        if (next === at) break;
        at = next;
      }
    }
    this.#letters = letters;
    this.lettersHash = hash;
    return at;
  }

  /** Counter and tag; index behind them, or -1. */
  #pastFields(from: number): number {
    const text = this.#text;
    const length = text.length;
    let at = from;
    let read = 1;
    let field = 0;
    while (at < length) {
      const value = BASE32_VALUES[text.charCodeAt(at)] ?? NO_VALUE;
      if (value === NO_VALUE) {
        const next = pastSeparator(text, at);
        if (next === at) return -1;
        at = next;
        continue;
      }
      if (read === CHARS_BEFORE_TAG) {
        this.counter = field;
        field = 0;
      }
      field = (field << 5) | value;
      at += 1;
      read += 1;
      if (read === CHARS_AFTER_TYPE) {
        this.tag = field;
        return value === NEVER_LAST ? -1 : at;
      }
    }
    return -1;
  }

  /** Place of the letter so many before the end of the letters, or an earlier one. */
  #placeBefore(letters: number): number {
    return this.#places[Math.max(0, this.#letters - letters) & PLACES] ?? 0;
  }

  /** `behind` is the end of the digits. A number that goes on (`.5`, `e3`) is a computed one and no token. */
  #readNumber(behind: number): boolean {
    const text = this.#text;
    const third = text.charCodeAt(behind - 3);
    const isScientific = third === PLUS || (third | 32) === SMALL_E;
    const point = isScientific ? text.lastIndexOf('.', behind - 1) : -1;
    const start = isScientific ? point - 1 : behind - NUMBER_DIGITS;
    const end = isScientific ? behind : this.#pastZeros(behind);
    if (!this.inAnyContext) {
      const isFraction = !this.#isFresh && start > 1 && text.charCodeAt(start - 1) === POINT;
      if (isFraction && classAt(text, start - 2) & DIGIT) return false;
      if (this.#goesOn(end)) return false;
    }
    this.#isFresh = false;
    this.start = start;
    this.end = end;
    this.isNumber = true;
    this.number = isScientific ? Number(text.slice(start, behind)) : this.#digitsAt(start);
    return true;
  }

  /** In two halves, which are small integers; a text may be made of such numbers, and strings of it cost three times as much. */
  #digitsAt(start: number): number {
    const text = this.#text;
    const middle = start + NUMBER_DIGITS / 2;
    let high = 0;
    let low = 0;
    for (let at = start; at < middle; at += 1) {
      high = high * 10 + text.charCodeAt(at) - ZERO;
      low = low * 10 + text.charCodeAt(at + NUMBER_DIGITS / 2) - ZERO;
    }
    return high * 10 ** (NUMBER_DIGITS / 2) + low;
  }

  /** Whether the number is longer than its digits. */
  #goesOn(end: number): boolean {
    if (end >= this.#text.length) return false;
    const code = this.#text.charCodeAt(end);
    if (code !== POINT && (code | 32) !== SMALL_E) return false;
    return GOES_ON.test(this.#text.slice(end, end + 3));
  }

  /** Index behind a fraction of zeros, if there is one and nothing else follows it. */
  #pastZeros(at: number): number {
    if (at >= this.#text.length || this.#text.charCodeAt(at) !== POINT) return at;
    const zeros = /^\.0+(?!\d)/.exec(this.#text.slice(at, at + MAX_ZEROS));
    return zeros === null ? at : at + zeros[0].length;
  }
}

/** True when the text holds something that looks like a token of any vault. */
export function looksLikeToken(text: string): boolean {
  return new TokenScanner(text).next();
}

function bare(written: string): string {
  let result = '';
  for (let at = 0; at < written.length; ) {
    const next = pastSeparator(written, at);
    if (next === at) result += written.charAt(at++);
    else at = next;
  }
  return result;
}

function classAt(text: string, at: number): number {
  // Reading past the end would make every later read of V8's slow.
  return at >= 0 && at < text.length ? (CLASSES[text.charCodeAt(at)] ?? 0) : 0;
}

const CLASSES = new Uint8Array(65_536);
for (let code = 0; code < 128; code += 1) {
  const character = String.fromCharCode(code);
  if (/[a-z]/i.test(character)) CLASSES[code] = LETTER;
  if (/\d/.test(character)) CLASSES[code] = DIGIT;
}
