import { plainHash } from '../names/capital-run.js';
import { type NameList, ORDINARY, PLACE } from '../names/name-list.js';
import { HAS_DIGIT, HAS_LETTER, HAS_LOWER, IS_CAPITAL, type Words } from '../words.js';
import * as street from './street-words.js';
import { STREET_WORDS } from './street-words.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** Lines and fields of an address behind the street. */
const MOST_STEPS = 8;
const MOST_OF_TOWN = 4;

/** What follows the street of an address: apartment, town, state, postcode, country, also on the next lines. */
export class AddressTail {
  readonly #list: NameList;

  constructor(list: NameList) {
    this.#list = list;
  }

  /** The word behind the address whose street ends before `end`. */
  extend(words: Words, text: string, end: number): number {
    let sure = end;
    let word = end;
    let isBehindUnit = false;
    for (let step = 0; step < MOST_STEPS && word < words.count; step++) {
      if (!this.isGap(words, text, word) || this.#isOther(words, text, word)) break;
      const unit = this.#unit(words, text, word);
      if (unit > word) {
        sure = word = unit;
        isBehindUnit = true;
        continue;
      }
      const code = this.#postcode(words, text, word);
      if (code > word) {
        sure = word = code;
        continue;
      }
      const town = this.#town(words, text, word);
      if (town === word) break;
      const isNamed = this.#isPlace(words, text, word, town);
      const isTown =
        this.#isAfterComma(words, text, word) ||
        (isBehindUnit && this.#isOnLine(words, text, word) && !this.#isWord(words, text, word));
      isBehindUnit = false;
      if (isNamed || (isTown && sure === word)) sure = town;
      word = town;
    }
    return sure;
  }

  /** `, 12345 Berlin`. */
  hasPostcodeAndTown(words: Words, text: string, word: number): boolean {
    if (word + 1 >= words.count || !this.#isAfterComma(words, text, word)) return false;
    const length = lengthOf(words, word);
    if (!isPlainNumber(words, word) || length < 4 || length > 5) return false;
    return this.#town(words, text, word + 1) > word + 1;
  }

  /** True when what stands before a word may stand between the parts of an address. */
  isGap(words: Words, text: string, word: number): boolean {
    const from = words.ends[word - 1] as number;
    const to = words.starts[word] as number;
    if (to - from > LONGEST_GAP) return false;
    let lines = 0;
    let stops = 0;
    for (let at = from; at < to; at++) {
      const unit = unitAt.call(text, at);
      if (unit === 10) lines++;
      else if (unit === 46) stops++;
      else if (
        unit !== 32 &&
        unit !== 44 &&
        unit !== 13 &&
        unit !== 45 &&
        unit !== 160 &&
        unit !== 47 &&
        unit !== 62 &&
        unit !== 92
      )
        return false;
    }
    if (lines > 2) return false;
    // A stop ends the sentence, unless a part of a building or a new line follows: `u. 12. Apt. 5`.
    return stops === 0 || (stops === 1 && (lines > 0 || (this.#bits(words, text, word) & street.UNIT) !== 0));
  }

  #unit(words: Words, text: string, word: number): number {
    const bits = this.#bits(words, text, word);
    const next = word + 1;
    if ((bits & street.MILITARY) !== 0 && word + 2 < words.count && isPlainNumber(words, word + 2))
      return word + 3;
    if ((bits & (street.UNIT | street.BOX)) === 0 || next >= words.count) return word;
    const gap = (words.starts[next] as number) - (words.ends[word] as number);
    if (gap > 3) return word;
    if (((words.kinds[next] as number) & HAS_DIGIT) !== 0 && lengthOf(words, next) <= 6) return next + 1;
    return lengthOf(words, next) === 1 ? next + 1 : word;
  }

  /** A postcode with or without the state before it: `12345`, `12345-6789`, `CA 94000`, `LS1 2AB`, `1234 AB`, `H0H 0H0`. */
  #postcode(words: Words, text: string, word: number): number {
    const kind = words.kinds[word] as number;
    const length = lengthOf(words, word);
    if (isPlainNumber(words, word)) {
      const next = word + 1;
      if (length < 4 || length > 6) {
        // `00-590`, `150-0002`
        const isSplit =
          next < words.count &&
          isPlainNumber(words, next) &&
          length >= 2 &&
          unitAt.call(text, words.ends[word] as number) === 45;
        const second =
          isSplit && (words.starts[next] as number) - (words.ends[word] as number) === 1
            ? lengthOf(words, next)
            : 0;
        return (length === 2 && second === 3) || (length === 3 && second === 4) ? next + 1 : word;
      }
      if (next >= words.count) return next;
      const gap = text.slice(words.ends[word], words.starts[next]);
      if (gap === '-' && isPlainNumber(words, next)) return lengthOf(words, next) <= 4 ? next + 1 : word;
      if (gap === ' ' && length === 4 && isUpperCode(words, next, 2)) return next + 1;
      return next;
    }
    if (isUpperCode(words, word, 3) && length >= 2 && word + 1 < words.count) {
      const next = word + 1;
      const isTight = (words.starts[next] as number) - (words.ends[word] as number) <= 2;
      if (isTight && isPlainNumber(words, next) && lengthOf(words, next) >= 4 && lengthOf(words, next) <= 6)
        return next + 1;
    }
    if ((kind & HAS_DIGIT) !== 0 && (kind & IS_CAPITAL) !== 0 && (kind & HAS_LOWER) === 0 && length <= 4) {
      const next = word + 1;
      if (
        next < words.count &&
        lengthOf(words, next) === 3 &&
        ((words.kinds[next] as number) & HAS_DIGIT) !== 0 &&
        ((words.kinds[next] as number) & HAS_LETTER) !== 0 &&
        unitAt.call(text, words.ends[word] as number) === 32
      )
        return next + 1;
    }
    return word;
  }

  /** The end of the town, region or country that starts at a word. */
  #town(words: Words, text: string, word: number): number {
    let end = word;
    let next = word;
    while (next < words.count && next - word < MOST_OF_TOWN) {
      const kind = words.kinds[next] as number;
      if (next > word && !isTight(words, text, next)) break;
      if ((kind & HAS_DIGIT) !== 0) break;
      if ((kind & IS_CAPITAL) !== 0) end = ++next;
      else if (next > word && (this.#bits(words, text, next) & street.BETWEEN) !== 0) next++;
      else break;
    }
    // A word before a colon is the label of the next field.
    return end > word && unitAt.call(text, words.ends[end - 1] as number) === 58 ? word : end;
  }

  #isPlace(words: Words, text: string, from: number, to: number): boolean {
    for (let word = from; word < to; word++)
      if ((this.#list.bitsOf(plainHash(words, text, word)) & PLACE) !== 0) return true;
    return to - from === 1 && isUpperCode(words, from, 3) && this.#isAfterComma(words, text, from);
  }

  #isAfterComma(words: Words, text: string, word: number): boolean {
    const from = words.ends[word - 1] as number;
    const gap = text.slice(from, words.starts[word]);
    return gap.includes(',') && !gap.includes('\n');
  }

  #isOnLine(words: Words, text: string, word: number): boolean {
    return !text.slice(words.ends[word - 1], words.starts[word]).includes('\n');
  }

  /** `Apt. 5 Please`: no town. */
  #isWord(words: Words, text: string, word: number): boolean {
    return (this.#list.bitsOf(plainHash(words, text, word)) & ORDINARY) !== 0;
  }

  #isOther(words: Words, text: string, word: number): boolean {
    return (this.#bits(words, text, word) & street.OTHER_FIELD) !== 0;
  }

  #bits(words: Words, text: string, word: number): number {
    return STREET_WORDS.bitsOf(plainHash(words, text, word));
  }
}

const LONGEST_GAP = 10;

function lengthOf(words: Words, word: number): number {
  return (words.ends[word] as number) - (words.starts[word] as number);
}

function isPlainNumber(words: Words, word: number): boolean {
  return ((words.kinds[word] as number) & (HAS_DIGIT | HAS_LETTER)) === HAS_DIGIT;
}

/** Capital letters only, at most so many. */
function isUpperCode(words: Words, word: number, most: number): boolean {
  const kind = words.kinds[word] as number;
  return (kind & IS_CAPITAL) !== 0 && (kind & (HAS_LOWER | HAS_DIGIT)) === 0 && lengthOf(words, word) <= most;
}

/** A blank, a hyphen or an apostrophe. */
function isTight(words: Words, text: string, word: number): boolean {
  const from = words.ends[word - 1] as number;
  if ((words.starts[word] as number) - from !== 1) return false;
  const unit = unitAt.call(text, from);
  return unit === 32 || unit === 45 || unit === 39 || unit === 0x2019;
}
