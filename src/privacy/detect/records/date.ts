import { hashOfWord, type Words } from '../words.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

export interface DateSpan {
  readonly start: number;
  readonly end: number;
  readonly firstWord: number;
  readonly lastWord: number;
}

/**
 * The date whose first number is this word, with day, month and year of {@link FIRST_YEAR} to {@link LAST_YEAR}:
 * `1980-04-21`, `21.4.80`, `4/21/1980`, `21 Apr 1980`, `April 21st, 1980`, `21 de abril de 1980`, `19800421`,
 * `1980年4月21日`. A month before the first number belongs to it.
 */
export function readDate(words: Words, word: number): DateSpan | undefined {
  const length = lengthOf(words, word);
  if (length === 8 && isEightDigits(words, word)) return compactDate(words, word);
  if (length >= 6 && length <= 9) return militaryDate(words, word);
  if (length > 11) return undefined;
  return numericDate(words, word) ?? wordyDate(words, word) ?? eastAsianDate(words, word);
}

export const FIRST_YEAR = 1880;
export const LAST_YEAR = 2035;

/** Whether a word is a year in which a living person may have been born. */
export function isYear(year: number): boolean {
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}

/** Whether there is such a day in some month; two-digit years count. */
export function isDayAndMonth(day: number, month: number): boolean {
  return (
    month >= 1 && month <= 12 && day >= 1 && day <= (month === 2 ? 29 : LONG_MONTHS.has(month) ? 31 : 30)
  );
}

const LONG_MONTHS = new Set([1, 3, 5, 7, 8, 10, 12]);

/** `01FEB1980`. */
function militaryDate(words: Words, word: number): DateSpan | undefined {
  const text = words.text.slice(words.starts[word], words.ends[word]);
  const found = /^([0-3]?[0-9])([A-Za-z]{3})([0-9]{2}|[0-9]{4})$/.exec(text);
  return found && MONTHS.has(hashOfWord(found[2] as string)) ? span(words, word, word) : undefined;
}

function isEightDigits(words: Words, word: number): boolean {
  return !Number.isNaN(numberAt(words, word, 0, 8));
}

function compactDate(words: Words, word: number): DateSpan | undefined {
  const [a, b] = [numberAt(words, word, 0, 4), numberAt(words, word, 4, 8)];
  const yearFirst = isYear(a) && isDayAndMonth(b % 100, Math.floor(b / 100));
  const dayFirst = isYear(b) && isEitherOrder(Math.floor(a / 100), a % 100);
  return yearFirst || dayFirst ? span(words, word, word) : undefined;
}

function numericDate(words: Words, word: number): DateSpan | undefined {
  if (word + 2 >= words.count) return undefined;
  const joint = unitAt.call(words.text, words.ends[word] as number);
  if (joint !== 0x2d && joint !== 0x2f && joint !== 0x2e && joint !== 0x20) return undefined;
  if (gapOf(words, word) !== gapOf(words, word + 1)) return undefined;
  const gap = gapOf(words, word);
  if (gap.length > 2 || (joint === 0x20 && gap.length > 1)) return undefined;
  const [a, b] = [numberOf(words, word), numberOf(words, word + 1)];
  const timed = timeAfterDay(words, word + 2);
  const c = timed ?? numberOf(words, word + 2);
  if (lengthOf(words, word + 1) > 2) return undefined;
  if (lengthOf(words, word) === 4)
    return isYear(a) && isDayAndMonth(c, b)
      ? span(words, word, word + 2, timed === undefined ? 0 : -1)
      : undefined;
  if (lengthOf(words, word) > 2 || timed !== undefined) return undefined;
  const yearLength = lengthOf(words, word + 2);
  const year = yearLength === 4 ? isYear(c) : yearLength === 2 && joint !== 0x20;
  return year && isEitherOrder(a, b) ? span(words, word, word + 2) : undefined;
}

/** In `1980-04-21T00:00:00Z` the last word is `21T00`. */
function timeAfterDay(words: Words, word: number): number | undefined {
  const start = words.starts[word] as number;
  if (lengthOf(words, word) !== 5 || (unitAt.call(words.text, start + 2) | 0x20) !== 0x74) return undefined;
  return numberAt(words, word, 0, 2);
}

function wordyDate(words: Words, word: number): DateSpan | undefined {
  const value = dayOf(words, word);
  if (Number.isNaN(value)) return undefined;
  // "April 21st, 1980": the month stands before, the year behind.
  const before = monthBefore(words, word);
  if (before >= 0 && value <= 31 && value > 0) {
    const year = yearBehind(words, word);
    if (year >= 0) return span(words, before, year);
  }
  const month = skipLinks(words, word + 1);
  if (!isMonth(words, month) || (words.starts[month] as number) - (words.ends[word] as number) > 6)
    return undefined;
  // "21 April 1980" and "1980 April 21".
  if (value >= 1 && value <= 31) {
    const year = yearBehind(words, month);
    return year >= 0 ? span(words, word, year) : undefined;
  }
  const day = month + 1;
  const ends = isYear(value) && day < words.count && dayOf(words, day) <= 31;
  return ends ? span(words, word, day) : undefined;
}

function monthBefore(words: Words, word: number): number {
  let at = word - 1;
  if (at > 0 && LINKS.has(words.hashes[at] as number)) at--;
  return at >= 0 && isMonth(words, at) && gapOf(words, word - 1).length <= 2 ? at : -1;
}

function yearBehind(words: Words, word: number): number {
  const at = skipLinks(words, word + 1);
  if (at >= words.count || gapOf(words, at - 1).length > 2) return -1;
  const length = lengthOf(words, at);
  const year = numberOf(words, at);
  if (length === 4 && isYear(year)) return at;
  return length === 2 && year >= 0 && gapOf(words, at - 1) !== ', ' ? at : -1;
}

function skipLinks(words: Words, word: number): number {
  return word < words.count && LINKS.has(words.hashes[word] as number) ? word + 1 : word;
}

function isMonth(words: Words, word: number): boolean {
  return word < words.count && MONTHS.has(words.hashes[word] as number);
}

/** The number of "21", "21st", "1er", "2nd". */
function dayOf(words: Words, word: number): number {
  const plain = numberOf(words, word);
  if (!Number.isNaN(plain)) return plain;
  const text = words.text.slice(words.starts[word], words.ends[word]);
  const ordinal = /^([0-3]?[0-9])(?:st|nd|rd|th|er|e|ème|º|ª|o|a)$/i.exec(text);
  return ordinal ? Number(ordinal[1]) : Number.NaN;
}

function eastAsianDate(words: Words, word: number): DateSpan | undefined {
  const text = words.text.slice(words.starts[word], words.ends[word]);
  const found = /^([0-9]{4})[年년]([0-9]{1,2})[月월]([0-9]{1,2})[日일]/.exec(text);
  if (!found || !isYear(Number(found[1])) || !isDayAndMonth(Number(found[3]), Number(found[2])))
    return undefined;
  const start = words.starts[word] as number;
  return { start, end: start + found[0].length, firstWord: word, lastWord: word };
}

function isEitherOrder(a: number, b: number): boolean {
  return isDayAndMonth(a, b) || isDayAndMonth(b, a);
}

/** @param shift of the end: 3 characters less when a time follows the day in the same word. */
function span(words: Words, firstWord: number, lastWord: number, shift = 0): DateSpan {
  return {
    start: words.starts[firstWord] as number,
    end: (words.ends[lastWord] as number) + shift * 3,
    firstWord,
    lastWord,
  };
}

function lengthOf(words: Words, word: number): number {
  return (words.ends[word] as number) - (words.starts[word] as number);
}

function gapOf(words: Words, word: number): string {
  return words.text.slice(words.ends[word], words.starts[word + 1]);
}

/** The value of a word of one to four digits, else not a number. */
function numberOf(words: Words, word: number): number {
  const length = lengthOf(words, word);
  return length > 4 ? Number.NaN : numberAt(words, word, 0, length);
}

function numberAt(words: Words, word: number, from: number, to: number): number {
  const start = words.starts[word] as number;
  let value = 0;
  for (let at = start + from; at < start + to; at++) {
    const digit = unitAt.call(words.text, at) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

const LINKS: ReadonlySet<number> = new Set(['de', 'of', 'del', 'di', 'den'].map(hashOfWord));

/** English, German, French, Spanish, Italian, Dutch, Portuguese, Nordic, Polish, Turkish; full and short. */
const MONTHS: ReadonlySet<number> = new Set(
  `january february march april may june july august september october november december
  jan feb mar apr jun jul aug sep sept oct nov dec
  januar jänner februar märz mai juni juli oktober dezember mrz okt dez
  janvier février fevrier mars avril juin juillet août aout septembre octobre novembre décembre decembre janv févr avr juil déc
  enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre ene abr ago dic
  gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre gen mag giu lug set ott
  januari februari maart mei augustus
  janeiro fevereiro março marco maio junho julho setembro outubro novembro dezembro fev out
  januar februar marts maj augusti oktober desember
  stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
  ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık`
    .split(/\s+/)
    .map(hashOfWord),
);
