import { plainHash } from '../names/capital-run.js';
import { HAS_DIGIT, HAS_LETTER, IS_CAPITAL, NO_WORDS, type Words } from '../words.js';
import * as street from './street-words.js';
import { STREET_WORDS } from './street-words.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** Words between the number of a house and the word for the street. */
export const REACH = 6;

/** What single words are, and where the name of a street begins and ends. Filled anew for each stretch. */
export class StreetReader {
  words: Words = NO_WORDS;
  text = '';

  /** Goes back over the words of a name that end at `last`, and over a number before them. */
  startOfName(last: number, free: number, most: number): number {
    let start = last;
    while (start - 1 >= free && last - start < most && this.isInName(start - 1) && this.isNear(start, false))
      start--;
    while (start < last && !this.isCapital(start)) start++;
    return this.withNumberBefore(start, free);
  }

  withNumberBefore(start: number, free: number): number {
    const before = start - 1;
    if (before < free) return start;
    if (this.isNumber(before) && unitAt.call(this.text, this.words.ends[before] as number) === 32) {
      const unit = before - 1;
      const isUnit = unit >= free && (this.bits(unit) & street.UNIT) !== 0 && this.isCapital(unit);
      return isUnit && this.isNear(before, true) ? unit : before;
    }
    if (before - 1 >= free && this.isNumber(before) && this.isNumber(start) && this.isNear(start, true)) {
      // `Flat 4, 10 Downing Street`
      return (this.bits(before - 1) & street.UNIT) !== 0 && this.isCapital(before - 1) ? before - 1 : start;
    }
    const isUnit = (this.bits(before) & street.UNIT) !== 0 && this.isNumber(start) && this.isCapital(before);
    return isUnit && this.isNear(start, true) ? before : start;
  }

  withNumberBehind(end: number): number {
    if (end >= this.words.count || !this.isNumber(end) || !this.isNear(end, false)) return end;
    return this.lengthOf(end) <= 4 ? end + 1 : end;
  }

  /** `12`, `12 bis`, `12/3`, `12-14`, `12 B`. */
  behindNumber(number: number): number {
    const next = number + 1;
    if (next >= this.words.count) return next;
    const at = this.words.ends[number] as number;
    const gap = (this.words.starts[next] as number) - at;
    if (gap !== 1) return next;
    const unit = unitAt.call(this.text, at);
    if (unit === 47 || unit === 45) return this.lengthOf(next) <= 4 ? next + 1 : next;
    if (unit !== 32) return next;
    const length = this.lengthOf(next);
    if (length === 1 && ((this.words.kinds[next] as number) & HAS_LETTER) !== 0) return next + 1;
    return length <= 6 && (this.bits(next) & street.NUMBER_SUFFIX) !== 0 ? next + 1 : next;
  }

  endOfName(from: number): number {
    let end = from;
    let word = from;
    while (word < this.words.count && word - from < REACH && this.isNear(word, false)) {
      if (this.isCapital(word)) end = ++word;
      else if ((this.bits(word) & street.BETWEEN) !== 0) word++;
      else if ((this.bits(word) & street.STREET_THEN_NUMBER) !== 0 && word > from) end = ++word;
      else break;
    }
    return end;
  }

  isName(word: number, free: number): boolean {
    return word >= free && this.isInName(word) && this.isNear(word + 1, false);
  }

  isInName(word: number): boolean {
    return this.isCapital(word) || (this.bits(word) & street.BETWEEN) !== 0;
  }

  isCapital(word: number): boolean {
    const kind = this.words.kinds[word] as number;
    return (kind & IS_CAPITAL) !== 0 && (kind & HAS_DIGIT) === 0;
  }

  isNumber(word: number): boolean {
    return ((this.words.kinds[word] as number) & HAS_DIGIT) !== 0 && this.isHouseNumber(word);
  }

  hasCapital(from: number, to: number): boolean {
    for (let word = from; word < to; word++) if (this.isCapital(word)) return true;
    return false;
  }

  /** `5th`, `42nd`. */
  isOrdinal(word: number): boolean {
    const kind = this.words.kinds[word] as number;
    return (kind & HAS_DIGIT) !== 0 && (kind & HAS_LETTER) !== 0 && this.lengthOf(word) <= 5;
  }

  isLast(word: number): boolean {
    return word + 1 >= this.words.count || !this.isNear(word + 1, false) || !this.isCapital(word + 1);
  }

  /** A blank, a hyphen, an apostrophe, a dot behind a short word; a comma where it may stand. */
  isNear(word: number, withComma: boolean): boolean {
    const from = this.words.ends[word - 1] as number;
    const length = (this.words.starts[word] as number) - from;
    const unit = unitAt.call(this.text, from);
    if (length === 1)
      return unit === 32 || unit === 45 || unit === 39 || unit === 0x2019 || unit === 160 || unit === 46;
    if (length > 3 || unitAt.call(this.text, from + length - 1) !== 32) return false;
    if (unit === 46)
      return (
        this.lengthOf(word - 1) <= MOST_ABBREVIATED ||
        this.isNumber(word - 1) ||
        isShortStreet(this.text, from)
      );
    return withComma && unit === 44;
  }

  bits(word: number): number {
    return STREET_WORDS.bitsOf(plainHash(this.words, this.text, word));
  }

  lengthOf(word: number): number {
    return (this.words.ends[word] as number) - (this.words.starts[word] as number);
  }

  spelled(word: number): string {
    return word < 0 ? '' : this.text.slice(this.words.starts[word], this.words.ends[word]).toLowerCase();
  }

  isHouseNumber(word: number): boolean {
    const start = this.words.starts[word] as number;
    const length = (this.words.ends[word] as number) - start;
    return length <= 6 && isDigit(unitAt.call(this.text, start));
  }
}

const MOST_ABBREVIATED = 4;

/** `Bahnhofstr. 5`. */
function isShortStreet(text: string, dot: number): boolean {
  return text.slice(dot - 3, dot).toLowerCase() === 'str';
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}
