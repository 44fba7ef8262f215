import { HAS_DIGIT, HAS_LETTER, type Words } from '../words.js';
import { readDate } from './date.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** A run of letters and digits with joints ("K932-778-3840"), or of groups of digits ("5772 6882 1567"). */
export interface Identifier {
  readonly start: number;
  readonly end: number;
  readonly firstWord: number;
  readonly lastWord: number;
  readonly digits: number;
  readonly letters: number;
}

/**
 * The identifier around a word. Nothing for what looks like one and is none: a date, a decimal number, money, a part of
 * an address of mail, an identifier of more than {@link LONGEST} characters.
 */
export function readIdentifier(words: Words, word: number): Identifier | undefined {
  let firstWord = firstOfIdentifier(words, word);
  let lastWord = word;
  while (lastWord + 1 < words.count && lastWord - word < MOST_GROUPS && isJoint(words, lastWord)) lastWord++;
  let pure = true;
  for (let at = firstWord; at <= lastWord; at++) pure &&= isDigits(words, at);
  if (pure) {
    while (lastWord - word < MOST_GROUPS && isSpacedGroup(words, lastWord, lastWord - word)) lastWord++;
    while (word - firstWord < MOST_GROUPS && firstWord > 0 && isSpacedGroup(words, firstWord - 1, 0))
      firstWord--;
    if (lastWord - firstWord > 1 && isSuffix(words, lastWord + 1)) lastWord++;
  }
  const [start, end] = asciiPart(
    words.text,
    words.starts[firstWord] as number,
    words.ends[lastWord] as number,
  );
  if (end - start > LONGEST || !standsAlone(words.text, start, end)) return undefined;
  const { digits, letters } = count(words.text, start, end);
  if (letters === 0 && isQuantity(words, firstWord, lastWord)) return undefined;
  if (isDate(words, firstWord, lastWord) || isToken(words.text, start)) return undefined;
  return { start, end, firstWord, lastWord, digits, letters };
}

/** The first of the words that are joined to one without a blank. */
export function firstOfIdentifier(words: Words, word: number): number {
  let first = word;
  while (first > 0 && word - first < MOST_GROUPS && isJoint(words, first - 1)) first--;
  return first;
}

/** A date, in any form that {@link readDate} knows, from one word to the other. */
export function isDate(words: Words, firstWord: number, lastWord: number): boolean {
  const date = lastWord > firstWord ? readDate(words, firstWord) : undefined;
  return date !== undefined && date.end >= (words.ends[lastWord] as number);
}

/** Whether what stands there is one of our own stand-ins. */
export function isToken(text: string, start: number): boolean {
  return (
    unitAt.call(text, start) === 0x50 &&
    text.startsWith('PII', start) &&
    /^PII[A-Z]{2,24}[0-9]/.test(text.slice(start, start + 30))
  );
}

const LONGEST = 34;
const MOST_GROUPS = 6;

/** Whether a word is joined to the next one by a single `-`, `/`, `.` or `_`. */
function isJoint(words: Words, word: number): boolean {
  const at = words.ends[word] as number;
  if (words.starts[word + 1] !== at + 1) return false;
  const unit = unitAt.call(words.text, at);
  return unit === 0x2d || unit === 0x2e || unit === 0x2f || unit === 0x5f || unit === 0x2011;
}

/** Whether a word and the next are groups of 2 to 4 digits (the last may have 6, behind three others 10) with a blank between. */
function isSpacedGroup(words: Words, word: number, before: number): boolean {
  const at = words.ends[word] as number;
  if (word + 1 >= words.count || words.starts[word + 1] !== at + 1) return false;
  const unit = unitAt.call(words.text, at);
  if (unit !== 0x20 && unit !== 0xa0 && unit !== 0x202f) return false;
  if (!isDigits(words, word) || !isDigits(words, word + 1)) return false;
  const length = at - (words.starts[word] as number);
  const next = lengthOf(words, word + 1);
  // Australia's Medicare number: 2123 45670 1.
  if (before === 1 && length === 5) return next === 1;
  return length <= 4 && between(2, next, before > 1 ? 10 : 6);
}

/** One or two capitals that end a number in groups: "1234 567 897 AB". */
function isSuffix(words: Words, word: number): boolean {
  if (word >= words.count || words.starts[word] !== (words.ends[word - 1] as number) + 1) return false;
  const start = words.starts[word] as number;
  return /^ [A-Z]{1,2}(?:[.,;)"']|$)/.test(words.text.slice(start - 1, start + 3));
}

function isDigits(words: Words, word: number): boolean {
  return ((words.kinds[word] as number) & (HAS_DIGIT | HAS_LETTER)) === HAS_DIGIT;
}

function lengthOf(words: Words, word: number): number {
  return (words.ends[word] as number) - (words.starts[word] as number);
}

function between(low: number, value: number, high: number): boolean {
  return value >= low && value <= high;
}

/** Without letters beyond ASCII at either end: Korean and Japanese add particles without a blank. */
function asciiPart(text: string, start: number, end: number): [number, number] {
  let from = start;
  let to = end;
  while (from < to && unitAt.call(text, from) > 0x7f) from++;
  while (to > from && unitAt.call(text, to - 1) > 0x7f) to--;
  return [from, to];
}

/** Not glued to something else: money, a mail address, a query, a percentage, a time. */
function standsAlone(text: string, start: number, end: number): boolean {
  const before = unitAt.call(text, start - 1);
  const after = unitAt.call(text, end);
  if (before === 0x24 || before === 0x20ac || before === 0xa3 || before === 0xa5 || before === 0x40)
    return false;
  if (after === 0x25 || after === 0x40 || after === 0x20ac || after === 0xa3 || after === 0x24) return false;
  // A joint that the reader gave up on, or a time: "12:30".
  const joint = before === 0x5f || before === 0x2f || before === 0x2e;
  if (joint && isWordUnit(unitAt.call(text, start - 2))) return false;
  return !(after === 0x3a && isDigitUnit(unitAt.call(text, end + 1)));
}

/** One point between digits, or groups of three after points or blanks that read as thousands with a decimal part. */
function isQuantity(words: Words, firstWord: number, lastWord: number): boolean {
  return lastWord === firstWord + 1 && unitAt.call(words.text, words.ends[firstWord] as number) === 0x2e;
}

function count(text: string, start: number, end: number): { digits: number; letters: number } {
  let digits = 0;
  let letters = 0;
  for (let at = start; at < end; at++) {
    const unit = unitAt.call(text, at);
    if (isDigitUnit(unit)) digits++;
    else if (isWordUnit(unit)) letters++;
  }
  return { digits, letters };
}

function isDigitUnit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isWordUnit(unit: number): boolean {
  return isDigitUnit(unit) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a) || unit > 0x7f;
}
