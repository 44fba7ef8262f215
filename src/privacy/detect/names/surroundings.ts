import { hashOfWord, IS_CAPITAL, type Words } from '../words.js';
import { plainHash } from './capital-run.js';
import * as evidence from './evidence.js';
import { A_PERSON, gradeOfKey, OTHER_THING, SILENT } from './person-key.js';
import { ARTICLE, LINK, NAMING, ROLE, SALUTATION, SIGN_OFF, SPEECH, VOCABULARY } from './vocabulary.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** No person stands here: a path, an address of mail, a call in code, a field of something else. */
export const NO_PERSON = -1;

/** What stands around the words `from` to `to` (exclusive), as bits of evidence.ts, or {@link NO_PERSON}. */
export function surroundings(
  words: Words,
  text: string,
  from: number,
  to: number,
  lastPerson: number,
): number {
  const { starts, ends, count } = words;
  const start = starts[from] as number;
  const end = ends[to - 1] as number;
  if (isCode(text, start, end)) return NO_PERSON;
  const gapStart = from === 0 ? 0 : (ends[from - 1] as number);
  const before = gapKind(text, gapStart, start);
  const gapEnd = to === count ? text.length : (starts[to] as number);
  let found = 0;
  if (from === 0 || (before & ENDS_SENTENCE) !== 0) found |= evidence.STARTS_SENTENCE;
  if (
    (from === 0 || (before & (LINE | CELL)) !== 0) &&
    (to === count || (gapKind(text, end, gapEnd) & (LINE | CELL)) !== 0)
  )
    found |= evidence.ALONE;
  if (isMailName(text, end)) found |= evidence.KEYED;
  if (from > 0) {
    const behind = behindWord(words, text, from, before, lastPerson);
    if (behind === NO_PERSON) return NO_PERSON;
    found |= behind;
  }
  if (to < count) found |= aheadOf(words, text, to, end, gapEnd);
  return found;
}

/** `Anna said`, `Anna's`, `Anna: "Yes"`. */
function aheadOf(words: Words, text: string, to: number, end: number, gapEnd: number): number {
  const unit = unitAt.call(text, end);
  if (unit === BLANK)
    return gapEnd === end + 1 && (roles(words, text, to) & SPEECH) !== 0 ? evidence.SPEAKS : 0;
  if (unit === 58 /* : */) return QUOTES.includes(text.charAt(gapEnd - 1)) ? evidence.SPEAKS : 0;
  if ((unit !== 39 && unit !== 0x2019) || gapEnd !== end + 1) return 0;
  return unitAt.call(text, gapEnd) === 115 && (words.ends[to] as number) === gapEnd + 1 ? evidence.OWNS : 0;
}

function behindWord(words: Words, text: string, from: number, gap: number, lastPerson: number): number {
  const previous = roles(words, text, from - 1);
  let found = 0;
  if (
    lastPerson >= 0 &&
    ((lastPerson === from && (gap & COMMA) !== 0) || (lastPerson === from - 1 && isAnd(words, from - 1)))
  )
    found |= evidence.IN_LIST;
  if ((gap & (COLON | EQUALS)) !== 0) {
    const grade = gradeOfLabel(words, text, from);
    if (grade === OTHER_THING) return NO_PERSON;
    if (grade === SILENT) return found;
    return found | (grade === A_PERSON ? evidence.KEYED : evidence.MAY_BE_NAMED);
  }
  if ((gap & QUESTION) !== 0) return isName(words, from - 1) ? found | evidence.KEYED : found;
  if ((gap & LINE) !== 0) return (previous & SIGN_OFF) !== 0 ? found | evidence.KEYED : found;
  if ((gap & COMMA) !== 0)
    return (previous & (SIGN_OFF | SALUTATION)) !== 0 ? found | evidence.GREETED : found;
  if ((gap & STOP) !== 0) return found;
  if ((previous & SPEECH) !== 0) found |= evidence.SPEAKS;
  if ((previous & ROLE) !== 0) found |= evidence.IN_ROLE;
  if ((previous & SALUTATION) !== 0) found |= evidence.GREETED;
  if ((previous & ARTICLE) !== 0) found |= evidence.BEHIND_ARTICLE;
  if ((previous & LINK) !== 0) found |= evidence.LINKED;
  if ((previous & NAMING) !== 0) found |= namedBy(words, from - 1);
  else if (isContracted(words, text, from - 1)) found |= evidence.IS_NAMED;
  return found;
}

/** `my name is`, `I am`, `is called`; a bare `is` names nobody. */
function namedBy(words: Words, word: number): number {
  const hash = words.hashes[word];
  if (hash !== IS && hash !== AM) return evidence.IS_NAMED;
  if (word === 0) return 0;
  if (isName(words, word - 1)) return evidence.KEYED;
  return hash === AM ? evidence.IS_NAMED : 0;
}

/** `I'm`, `name's`. */
function isContracted(words: Words, text: string, word: number): boolean {
  const start = words.starts[word] as number;
  if ((words.ends[word] as number) - start !== 1 || start < 2) return false;
  const unit = unitAt.call(text, start);
  const tie = unitAt.call(text, start - 1);
  if (tie !== 39 && tie !== 0x2019) return false;
  return unit === 109 /* m */ || (unit === 115 /* s */ && isName(words, word - 1));
}

function isName(words: Words, word: number): boolean {
  return word >= 0 && NAMES.has(words.hashes[word] as number);
}

function isAnd(words: Words, word: number): boolean {
  return ((words.kinds[word] as number) & IS_CAPITAL) === 0 && ANDS.has(words.hashes[word] as number);
}

/** What the label before `:` or `=` says: at most four words on the same line. */
function gradeOfLabel(words: Words, text: string, word: number): number {
  let first = word - 1;
  let isWhole = false;
  let hash = words.hashes[first] as number;
  for (const limit = Math.max(0, word - LONGEST_LABEL); ; first--) {
    isWhole = first === 0 || !isInLabel(text, words.ends[first - 1] as number, words.starts[first] as number);
    if (isWhole || first === limit) break;
    hash = Math.imul(hash, 31) ^ (words.hashes[first - 1] as number);
  }
  // The end of a sentence is no label: `he gave us three names: Anna`. Its last word may still tell a role.
  if (!isWhole) {
    first = word - 1;
    hash = words.hashes[first] as number;
  }
  let grade = labels.get(hash);
  if (grade === undefined) {
    const label = text.slice(words.starts[first], words.ends[word - 1]);
    grade =
      label.length > LONGEST_LABEL_TEXT
        ? SILENT
        : gradeOfKey(label.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase());
    if (labels.size >= MOST_LABELS) labels.clear();
    labels.set(hash, grade);
  }
  return isWhole || grade !== OTHER_THING ? grade : SILENT;
}

/** A blank, `_`, `-` or `'` between the words of a label. */
function isInLabel(text: string, from: number, to: number): boolean {
  const unit = unitAt.call(text, from);
  return to - from === 1 && (unit === BLANK || unit === 95 || unit === 45 || unit === 39);
}

/** `Jane Doe <jane@example.com>`, also in quotes. */
function isMailName(text: string, end: number): boolean {
  let at = end;
  while (at < end + 3 && (unitAt.call(text, at) === 34 || unitAt.call(text, at) === BLANK)) at++;
  const unit = unitAt.call(text, at);
  if (unit !== 60 /* < */ && unit !== 40 /* ( */) return false;
  for (const limit = Math.min(text.length, at + LONGEST_ADDRESS); at < limit; at++) {
    const here = unitAt.call(text, at);
    if (here === 64 /* @ */) return true;
    if (here === 62 /* > */ || here === 41 /* ) */ || here === BLANK) return false;
  }
  return false;
}

/** A path, a member, a call, an address of mail: what touches the word is no punctuation of prose. */
function isCode(text: string, start: number, end: number): boolean {
  if (start > 0) {
    const unit = unitAt.call(text, start - 1);
    if (unit === 64 || unit === 47 || unit === 92 || unit === 95 || unit === 35 || unit === 36) return true;
    if ((unit === 46 || unit === 45 || unit === 58) && start > 1 && isWordUnit(unitAt.call(text, start - 2)))
      return unit !== 58;
  }
  const unit = unitAt.call(text, end);
  if (unit === 64 || unit === 95 || unit === 92 || unit === 40 || unit === 91) return true;
  if (unit === 47 || unit === 46 || unit === 58 || unit === 61) {
    const next = unitAt.call(text, end + 1);
    return isWordUnit(next) || (unit === 58 && next === 58);
  }
  return unit === 45 && isDigit(unitAt.call(text, end + 1));
}

function isWordUnit(unit: number): boolean {
  return isDigit(unit) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122) || unit === 95;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function roles(words: Words, text: string, word: number): number {
  return VOCABULARY.bitsOf(plainHash(words, text, word));
}

const LINE = 1;
const STOP = 2;
const COLON = 4;
const COMMA = 8;
const QUESTION = 16;
const EQUALS = 32;
/** The edge of a cell of a table. */
const CELL = 64;
const ENDS_SENTENCE = LINE | STOP | COLON | QUESTION;
const BLANK = 32;

function gapKind(text: string, from: number, to: number): number {
  let kind = 0;
  // A longer gap is a rule or an indent; its first and last characters tell enough.
  for (let at = from; at < to && at < from + LONGEST_GAP; at++) {
    const unit = unitAt.call(text, at);
    if (unit === 10 || unit === 13) kind |= LINE;
    else if (unit === 46 || unit === 33 || unit === 8226) kind |= STOP;
    else if (unit === 63) kind |= QUESTION;
    else if (unit === 58) kind |= COLON;
    else if (unit === 61) kind |= EQUALS;
    else if (unit === 44) kind |= COMMA;
    else if (unit === 34 || unit === 0x201c || unit === 59 || unit === 42 || unit === 62) kind |= STOP;
    else if (unit === 9 || unit === 124) kind |= CELL | STOP;
  }
  return kind;
}

const QUOTES = '"\u201c\u00ab\u201e';
const LONGEST_GAP = 24;
const LONGEST_LABEL = 4;
const LONGEST_LABEL_TEXT = 48;
const LONGEST_ADDRESS = 80;
/** Grades of labels by the hashes of their words, whatever their case. */
const labels = new Map<number, number>();
const MOST_LABELS = 10_000;
const IS = hashOfWord('is');
const AM = hashOfWord('am');
const NAMES: ReadonlySet<number> = new Set(
  ['name', 'names', 'nombre', 'nom', 'naam', 'nome'].map(hashOfWord),
);
const ANDS: ReadonlySet<number> = new Set(['and', 'und', 'et', 'y', 'e', 'en', 'or'].map(hashOfWord));
