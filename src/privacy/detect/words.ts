import { HAS_LOOKALIKE, kindOfPoint, NEEDS_FOLDING } from './characters.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** Bits of {@link Words.kinds}: what a word is made of. */
export const HAS_DIGIT = 1;
export const HAS_LETTER = 2;
export const HAS_UPPER = 4;
export const HAS_LOWER = 8;
/** Has a character beyond ASCII. */
export const IS_FOREIGN = 16;
/** The first character is an upper-case letter. */
export const IS_CAPITAL = 32;

/**
 * A text as words: maximal runs of letters and digits of any script (`_` and all else ends a word). One entry a word in
 * typed arrays, for a text of a megabyte has 150,000 of them.
 */
export interface Words {
  readonly text: string;
  readonly count: number;
  /** UTF-16 offsets. Longer than `count`: entries from there on mean nothing. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly kinds: Uint8Array;
  /** FNV-1a over the lower-case UTF-16 units, 32 bit: dictionaries are asked without a string being made. */
  readonly hashes: Uint32Array;
}

/** What a reader holds before its first text. */
export const NO_WORDS: Words = {
  text: '',
  count: 0,
  starts: new Int32Array(0),
  ends: new Int32Array(0),
  kinds: new Uint8Array(0),
  hashes: new Uint32Array(0),
};

/** The words of a text, in arrays of their own. One pass. */
export function splitWords(text: string): Words {
  const buffer = new WordBuffer();
  buffer.split(text, 0, text.length);
  return buffer;
}

/** The hash of a whole word as {@link Words.hashes} has it. */
export function hashOfWord(word: string): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < word.length; at++) {
    const unit = unitAt.call(word, at);
    if ((KINDS[unit] as number) >= IS_UNKNOWN) learnKind(word, at, word.length);
    hash = Math.imul(hash ^ (LOWER[unit] as number), FNV_PRIME);
  }
  return hash >>> 0;
}

/** Bits of {@link WordBuffer.signs}: which characters that are no part of a word were met. */
export const SAW_EQUALS = 2;
export const SAW_COLON = 4;
export const SAW_LINE_END = 8;
/** `{`, `[`, `(`, `<`, `|`, a comma, a semicolon, a tab, a quote. */
export const SAW_BRACKET = 16;
/** `%`, `&`, `\`: something may be escaped. */
export const SAW_ESCAPE = 32;
/** A character that {@link foldText} changes. */
export const SAW_DISGUISE = 64;

/** The sign of each ASCII character that has one. */
export const SIGNS: Uint8Array = new Uint8Array(128);

/** Words of one text after another in the same arrays: a value of JSON has three words, and there are 50,000 values. */
export class WordBuffer implements Words {
  count = 0;
  starts = new Int32Array(FIRST_ROOM);
  ends = new Int32Array(FIRST_ROOM);
  kinds = new Uint8Array(FIRST_ROOM);
  hashes = new Uint32Array(FIRST_ROOM);
  signs = 0;
  /** Where the watched symbols are, and the index of the first word behind each. */
  symbolCount = 0;
  symbolAt = new Int32Array(FIRST_ROOM);
  symbolWord = new Int32Array(FIRST_ROOM);

  readonly #symbols: Uint8Array;
  #whole = '';
  #from = 0;
  #to = 0;
  #text: string | undefined = '';

  /** @param watched ASCII symbols whose places are kept. */
  constructor(watched = '') {
    this.#symbols = Uint8Array.from(SIGNS);
    for (let at = 0; at < watched.length; at++) {
      const unit = unitAt.call(watched, at);
      this.#symbols[unit] = (this.#symbols[unit] as number) | WATCHED;
    }
  }

  /** Made when asked for: most values hold nothing that any record looks at. */
  get text(): string {
    this.#text ??= this.#whole.slice(this.#from, this.#to);
    return this.#text;
  }

  /** Replaces what is held by the words of `whole` between two offsets; offsets count from `from` on. */
  split(whole: string, from: number, to: number): void {
    this.#whole = whole;
    this.#from = from;
    this.#to = to;
    this.#text = from === 0 && to === whole.length ? whole : undefined;
    const symbols = this.#symbols;
    let count = 0;
    let symbolCount = 0;
    let signs = 0;
    let at = from;
    while (at < to) {
      let unit = unitAt.call(whole, at);
      let kind = KINDS[unit] as number;
      if (kind >= IS_UNKNOWN) kind = learnKind(whole, at, to);
      if ((kind & WORD_BITS) === 0) {
        if (kind !== 0) signs |= SAW_DISGUISE;
        else if (unit < 128) {
          const symbol = symbols[unit] as number;
          if (symbol !== 0) {
            signs |= symbol;
            if ((symbol & WATCHED) !== 0) {
              if (symbolCount === this.symbolAt.length) this.#growSymbols();
              this.symbolAt[symbolCount] = at - from;
              this.symbolWord[symbolCount++] = count;
            }
          }
        }
        at++;
        continue;
      }
      const start = at;
      let kinds = (kind & HAS_UPPER) === 0 ? 0 : IS_CAPITAL;
      let hash = FNV_OFFSET;
      do {
        kinds |= kind;
        hash = Math.imul(hash ^ (LOWER[unit] as number), FNV_PRIME);
        if (++at >= to) break;
        unit = unitAt.call(whole, at);
        kind = KINDS[unit] as number;
        if (kind >= IS_UNKNOWN) kind = learnKind(whole, at, to);
      } while ((kind & WORD_BITS) !== 0);
      if (kinds > 63) {
        if ((kinds & NEEDS_FOLDING) !== 0) signs |= SAW_DISGUISE;
        else if ((kinds & HAS_LOOKALIKE) !== 0 && hasAscii(whole, start, at)) signs |= SAW_DISGUISE;
      }
      if (count === this.starts.length) this.#grow();
      this.starts[count] = start - from;
      this.ends[count] = at - from;
      this.kinds[count] = kinds & 63;
      this.hashes[count++] = hash;
    }
    this.count = count;
    this.symbolCount = symbolCount;
    this.signs = signs;
  }

  #grow(): void {
    const room = this.starts.length * 2;
    this.starts = grown(this.starts, new Int32Array(room));
    this.ends = grown(this.ends, new Int32Array(room));
    this.kinds = grown(this.kinds, new Uint8Array(room));
    this.hashes = grown(this.hashes, new Uint32Array(room));
  }

  #growSymbols(): void {
    const room = this.symbolAt.length * 2;
    this.symbolAt = grown(this.symbolAt, new Int32Array(room));
    this.symbolWord = grown(this.symbolWord, new Int32Array(room));
  }
}

const FIRST_ROOM = 64;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const WORD_BITS = HAS_DIGIT | HAS_LETTER;
const WATCHED = 1;

/** Marks a unit whose kind was not asked for yet, and the halves of pairs, whose kind depends on the other half. */
const IS_UNKNOWN = 0x4000;

/** Kind and lower case of each UTF-16 unit; those beyond ASCII are worked out when they are met. */
const KINDS = new Uint16Array(0x10000).fill(IS_UNKNOWN);
const LOWER = new Uint16Array(0x10000);
for (let unit = 0; unit < 128; unit++) {
  LOWER[unit] = unit >= 65 && unit <= 90 ? unit | 32 : unit;
  if (unit >= 48 && unit <= 57) KINDS[unit] = HAS_DIGIT;
  else if (unit >= 65 && unit <= 90) KINDS[unit] = HAS_LETTER | HAS_UPPER;
  else if (unit >= 97 && unit <= 122) KINDS[unit] = HAS_LETTER | HAS_LOWER;
  else KINDS[unit] = 0;
}

for (const [bit, characters] of [
  [SAW_EQUALS, '='],
  [SAW_COLON, ':'],
  [SAW_LINE_END, '\n\r'],
  [SAW_BRACKET, '{[<|\t"\',;('],
  [SAW_ESCAPE, '%&\\'],
] as const)
  for (const character of characters) SIGNS[unitAt.call(character, 0)] = bit;

function learnKind(text: string, at: number, to: number): number {
  const unit = unitAt.call(text, at);
  if ((unit & 0xf800) === 0xd800) {
    LOWER[unit] = unit;
    const isHigh = (unit & 0xfc00) === 0xd800;
    if (isHigh ? at + 1 >= to : at === 0) return 0;
    const point = text.codePointAt(isHigh ? at : at - 1) as number;
    return point > 0xffff ? kindOfPoint(point) : 0;
  }
  const lower = String.fromCharCode(unit).toLowerCase();
  LOWER[unit] = lower.length === 1 ? unitAt.call(lower, 0) : unit;
  const kind = kindOfPoint(unit);
  KINDS[unit] = kind;
  return kind;
}

function hasAscii(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (unitAt.call(text, at) < 128) return true;
  return false;
}

function grown<Kind extends { set(from: Kind): void }>(from: Kind, into: Kind): Kind {
  into.set(from);
  return into;
}
