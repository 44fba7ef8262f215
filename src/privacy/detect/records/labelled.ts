import type { PiiType } from '../../../core/pii.js';
import type { Match, Situation } from '../record.js';
import { HAS_DIGIT, type Words } from '../words.js';
import { firstOfIdentifier, type Identifier, isDate, isToken, readIdentifier } from './identifier.js';
import { isList, type Labels } from './labels.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

export interface LabelledRule {
  readonly type: PiiType;
  readonly labels: Labels;
  /** Fewest digits, and fewest letters and digits, of a value in free text. */
  readonly minDigits: number;
  readonly minLength: number;
  /** Most letters and digits of a value without a letter. */
  readonly maxDigits?: number;
  /** Fewest characters of a value under a key. */
  readonly minKeyed?: number;
  /** Added to the score: of two labels ("national insurance number", "insurance number") the narrower one counts. */
  readonly bonus?: number;
  /** What else a value in free text must be. */
  readonly accepts?: (compact: string) => boolean;
}

/**
 * A value without a shape of its own: it is one because its key says so, or because a label stands directly at it.
 * Scores: key 95, label 85; a shape that is known by itself is stronger or weaker as its record says.
 */
export function matchLabelled(rule: LabelledRule, situation: Situation, word: number): Match | undefined {
  const keyed = situation.keySays(rule.type);
  const bonus = rule.bonus ?? 0;
  if (!keyed && !situation.contextSays(rule.type, word)) return undefined;
  if (keyed && situation.isValue) {
    const whole = wholeValue(situation.words, rule.minKeyed ?? SHORTEST);
    if (whole) return { ...whole, score: KEY_SCORE + bonus };
  }
  const found = (keyed && leads(situation.words, word)) || isLabelled(situation.words, word, rule.labels);
  const id = found ? readIdentifier(situation.words, word) : undefined;
  if (!id || id.digits < rule.minDigits || id.digits + id.letters < rule.minLength) return undefined;
  if (id.letters === 0 && id.digits > (rule.maxDigits ?? MOST_DIGITS)) return undefined;
  if (rule.accepts && !rule.accepts(compactOf(situation.words.text, id.start, id.end))) return undefined;
  return {
    start: seriesStart(situation.words, id, rule.labels),
    end: id.end,
    score: (keyed ? KEY_SCORE : LABEL_SCORE) + bonus,
  };
}

/** Whether a word is in the first identifier of a value, or of a list in it: the key of a sentence names no more than that. */
export function leads(words: Words, word: number): boolean {
  const first = firstOfIdentifier(words, word);
  if (first > MOST_WORDS_BEFORE) return false;
  for (let at = 0; at < first; at++) {
    const isNumber = ((words.kinds[at] as number) & HAS_DIGIT) !== 0;
    if (isNumber && !isList(words, at) && !(at + 1 === first && isShort(words, at))) return false;
  }
  return true;
}

/** Words before a value that say what it is: "home:", "my number is". */
const MOST_WORDS_BEFORE = 6;

/** A number of a list item: "1. 212-555-0123". */
function isShort(words: Words, word: number): boolean {
  return (words.ends[word] as number) - (words.starts[word] as number) === 1;
}

export const KEY_SCORE = 95;
export const LABEL_SCORE = 85;

/** Capitals of a series right before digits belong to them: "passport YA 1234567". */
function seriesStart(words: Words, id: Identifier, labels: Labels): number {
  const before = id.firstWord - 1;
  if (id.letters > 0 || before < 0 || (words.ends[before] as number) + 1 !== id.start) return id.start;
  const start = words.starts[before] as number;
  const isSeries = /^[A-Z]{1,2} $/.test(words.text.slice(start, id.start)) && !labels.endsAt(words, before);
  return isSeries ? start : id.start;
}

/** Whether a label stands directly at the identifier around a word, or is its own first part ("MRN-9143198"). */
export function isLabelled(words: Words, word: number, labels: Labels): boolean {
  const first = firstOfIdentifier(words, word);
  if (labels.before(words, first)) return true;
  if (first < word && labels.before(words, first + 1)) return true;
  return labels.after(words, lastOfGroups(words, word));
}

/** Letters and digits between two offsets, upper case. */
export function compactOf(text: string, start: number, end: number): string {
  return text
    .slice(start, end)
    .replace(/[^0-9A-Za-z]/g, '')
    .toUpperCase();
}

/** The whole text without blanks around it, if it may be an identifier: not a date, a sentence, "none" or one of our tokens. */
export function wholeValue(words: Words, shortest = SHORTEST): { start: number; end: number } | undefined {
  const { text } = words;
  let start = 0;
  let end = text.length;
  while (start < end && unitAt.call(text, start) <= 0x20) start++;
  while (end > start && unitAt.call(text, end - 1) <= 0x20) end--;
  if (
    end - start < shortest ||
    unitAt.call(text, start) === 0x2d ||
    end - start > LONGEST ||
    isToken(text, start)
  )
    return undefined;
  while (end > start && TRAILING.includes(text.charAt(end - 1))) end--;
  let digits = 0;
  let lowerRun = 0;
  let longestRun = 0;
  let hasBlank = false;
  for (let at = start; at < end; at++) {
    const unit = unitAt.call(text, at);
    if (unit >= 0x30 && unit <= 0x39) digits++;
    lowerRun = unit >= 0x61 && unit <= 0x7a ? lowerRun + 1 : 0;
    longestRun = Math.max(longestRun, lowerRun);
    hasBlank ||= unit === 0x20;
    if (lowerRun > LONGEST_WORD || !isPartOfIdentifier(unit)) return undefined;
  }
  if (hasBlank && longestRun > 1) return undefined;
  if (digits < FEWEST_DIGITS || isAmount(text, start, end) || isDate(words, 0, words.count - 1))
    return undefined;
  return { start, end };
}

const MOST_DIGITS = 20;
const SHORTEST = 4;
const LONGEST = 40;
const FEWEST_DIGITS = 3;
/** Lower-case letters in a row; more make a word of a sentence. */
const LONGEST_WORD = 5;

function isPartOfIdentifier(unit: number): boolean {
  if (unit > 0x7f)
    return unit === 0xa0 || unit === 0x2011 || unit === 0x202f || unit === 0xb0 || unit === 0xba;
  return (
    (unit >= 0x30 && unit <= 0x39) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x61 && unit <= 0x7a) ||
    PUNCTUATION.includes(String.fromCharCode(unit))
  );
}

const TRAILING = '.,;:)';
const PUNCTUATION = ' -./_#*:()+';

/** A decimal number is an amount: "1234.50". */
function isAmount(text: string, start: number, end: number): boolean {
  return /^[0-9]+\.[0-9]+(?:e[-+]?[0-9]+)?$/i.test(text.slice(start, end));
}

/** The last word that is joined to this one, over blanks as well. */
function lastOfGroups(words: Words, word: number): number {
  return readIdentifier(words, word)?.lastWord ?? word;
}
