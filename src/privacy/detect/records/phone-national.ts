import { isIsbn10 } from '../check-digits/isbn.js';
import type { DetectorRecord, Match, Situation } from '../record.js';
import { HAS_DIGIT, IS_FOREIGN } from '../words.js';
import {
  extensionEnd,
  gapBehind,
  isFree,
  mayEnd,
  nextGroup,
  type PhoneGroups,
  readPhoneGroups,
} from './phone-groups.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/**
 * A number with a trunk zero in a grouping that some country uses (`020 7946 0238`, `030/23125-635`,
 * `01 99 00 31 22`), a mobile number with its zero and no gaps, or an area code in parentheses (`(11) 98456-5666`).
 */
export const phoneNational: DetectorRecord = {
  type: 'PHONE',
  source: 'ITU-T E.123; https://en.wikipedia.org/wiki/National_conventions_for_writing_telephone_numbers',
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: IS_FOREIGN, minDigits: 7, minLength: 1, maxLength: 16 },
  match(situation, word) {
    const { text, starts, ends } = situation.words;
    const at = starts[word] as number;
    const first = unitAt.call(text, at);
    const second = unitAt.call(text, at + 1);
    const before = at === 0 ? 0x20 : unitAt.call(text, at - 1);
    if (before === 0x28) return matchParentheses(situation, word);
    if (first !== 0x30) return matchFourGroups(situation, word);
    if (second === 0x30 || !isFree(before)) return undefined;
    const end = ends[word] as number;
    if (end - at >= 10) return matchBare(situation, word);
    return JOINTS.includes(text.charAt(end)) ? matchGroups(text, at) : undefined;
  },
  examples: [
    { text: 'call Gemini on 020 7946 0437. She', found: '020 7946 0437' },
    { text: 'New phone: 07700 900404, new', found: '07700 900404' },
    { text: '030 23125240 or', found: '030 23125240' },
    { text: 'at 01 99 00 36 19 or', found: '01 99 00 36 19' },
    { text: '01.99.00.36.19', found: '01.99.00.36.19' },
    { text: '030/23125-635', found: '030/23125-635' },
    { text: 'My Japanese number is 090-1234-5678', found: '090-1234-5678' },
    { text: 'My Israeli number is 09-7625400', found: '09-7625400' },
    { text: '0 (532) 1234567', found: '0 (532) 1234567' },
    { text: '0 532 123 45 67', found: '0 532 123 45 67' },
    { text: '0470 12 34 56', found: '0470 12 34 56' },
    { text: 'First: x, Second: 09181234567', found: '09181234567' },
    { text: '(11) 98456-5666', found: '(11) 98456-5666' },
    { text: '(02) 9876 5432', found: '(02) 9876 5432' },
    { text: '532-123-45-67', found: '532-123-45-67' },
    { text: '8-800-555-35-35', found: '8-800-555-35-35' },
    { text: 'тел. (912) 345-67-89', found: '(912) 345-67-89' },
    { text: '070-123 45 67', found: '070-123 45 67' },
  ],
  counterExamples: [
    '0.123456789',
    '01/02/2003 10:00',
    '01.02.2003 12',
    'ISBN 0306406152',
    '00001234567',
    'kernel: [366.6554] eth0',
    '10.0.0.1 and 010.020.030.040',
    '{"lat":-79.084139}',
    'EAN 012345678905',
    'chmod 0755 0644 0600',
    'due 04-05-2024',
  ],
};

const ZERO = 0x30;
const JOINTS = ' -./\u00a0\u2011\u202f';

function matchGroups(text: string, at: number): Match | undefined {
  const groups = readPhoneGroups(text, at);
  for (let count = groups.starts.length; count > 1; count--) {
    if (!WITH_TRUNK.has(groups.shapes[count - 1] as number) || !hasPhoneGaps(text, groups, count)) continue;
    const end = groups.ends[count - 1] as number;
    const behind = extensionEnd(text, end);
    if (behind > end || mayEnd(text, end)) return { start: at, end: behind, score: count === 2 ? 70 : 78 };
  }
  return undefined;
}

/** Points only as in `01.99.00.36.19`; a slash only behind the area code. */
function hasPhoneGaps(text: string, groups: PhoneGroups, count: number): boolean {
  const gaps = Array.from({ length: count - 1 }, (_, group) => gapBehind(text, groups, group));
  const points = gaps.filter((gap) => gap.includes('.')).length;
  if (points > 0) return points === gaps.length && points >= 2 && !(points === 3 && isAddress(groups));
  return gaps.slice(1).every((gap) => !gap.includes('/') && !gap.includes('('));
}

/** Four groups of at most three digits are an IP address. */
function isAddress(groups: PhoneGroups): boolean {
  return groups.starts.slice(0, 4).every((start, at) => (groups.ends[at] as number) - start <= 3);
}

/** Ten or eleven digits with a trunk zero: in text, not where a key says something else, and no ISBN. */
function matchBare({ words, isValue }: Situation, word: number): Match | undefined {
  const start = words.starts[word] as number;
  const end = words.ends[word] as number;
  const digits = words.text.slice(start, end);
  const usual = digits.length === 11 ? /^0[1-9]/ : isValue ? /^$/ : /^0[4679]/;
  if (digits.length > 11 || !usual.test(digits) || !/^[0-9]+$/.test(digits)) return undefined;
  if (digits.length === 10 && isIsbn10(digits)) return undefined;
  return mayEnd(words.text, end) ? { start, end, score: 55 } : undefined;
}

/** `(0dd) ...`, `(dd) dddd-dddd`, `(ddd) ...`. */
function matchParentheses({ words: { text, starts, ends } }: Situation, word: number): Match | undefined {
  const at = starts[word] as number;
  const length = (ends[word] as number) - at;
  if (length < 2 || length > 5 || unitAt.call(text, at + length) !== 0x29) return undefined;
  const isTrunk = unitAt.call(text, at) === ZERO && unitAt.call(text, at + 1) !== ZERO;
  if (!isTrunk && !mayFollow(text, at + length, length)) return undefined;
  const groups = readPhoneGroups(text, at);
  for (let count = groups.starts.length; count > 1; count--) {
    const shape = groups.shapes[count - 1] as number;
    const isDashed = (shape === 244 || shape === 254 || shape === 3322) && gapBehind(text, groups, 1) === '-';
    if (!isDashed && !(isTrunk && WITH_TRUNK.has(shape))) continue;
    const end = groups.ends[count - 1] as number;
    const behind = extensionEnd(text, end);
    if (behind > end || mayEnd(text, end)) return { start: at - 1, end: behind, score: 80 };
  }
  return undefined;
}

/** Whether a group stands behind an area code without a zero as in `(11) 98456-5666` and `(912) 345-67-89`. */
function mayFollow(text: string, end: number, length: number): boolean {
  if (length === 2) return nextGroup(text, end, 4) > 0 || nextGroup(text, end, 5) > 0;
  return length === 3 && nextGroup(text, end, 3) > 0;
}

/** `532-123-45-67`: four groups without a zero, as in Turkey and Russia. */
function matchFourGroups({ words: { text, starts, ends } }: Situation, word: number): Match | undefined {
  const start = starts[word] as number;
  const length = (ends[word] as number) - start;
  const first = unitAt.call(text, start);
  // Russia writes 8 where others write 0: 8-800-555-35-35.
  const isRussian = length === 1 && first === 0x38;
  if (!isRussian && (length !== 3 || first < 0x32)) return undefined;
  const at = isRussian ? start + 2 : start;
  const gap = unitAt.call(text, at + 3);
  if (gap !== 0x2d && gap !== 0x20 && (gap !== 0x2e || text.slice(at, at + 3) <= '255')) return undefined;
  if (unitAt.call(text, at + 7) !== gap || unitAt.call(text, at + 10) !== gap) return undefined;
  if (isRussian && nextGroup(text, start + 1, 3) !== at) return undefined;
  if (nextGroup(text, at + 3, 3) !== at + 4 || nextGroup(text, at + 7, 2) !== at + 8) return undefined;
  if (nextGroup(text, at + 10, 2) !== at + 11 || !mayEnd(text, at + 13)) return undefined;
  if (
    start > 0 &&
    (!isFree(unitAt.call(text, start - 1)) || /[0-9] $/.test(text.slice(Math.max(0, start - 2), start)))
  )
    return undefined;
  return { start, end: at + 13, score: 65 };
}

/** Groupings of numbers with a trunk zero, area code first: lengths of the groups. */
const WITH_TRUNK: ReadonlySet<number> = new Set([
  ...[
    22222, 244, 234, 2322, 27, 28, 235, 2332, 334, 333, 344, 343, 3322, 3223, 3232, 3222, 36, 37, 38, 353,
    354,
  ],
  ...[342, 32222, 433, 434, 4222, 4223, 46, 45, 47, 48, 4322, 432, 423, 443, 452, 533, 55, 56, 54, 5222, 532],
  ...[13322, 137, 1334, 1343, 1234],
]);
