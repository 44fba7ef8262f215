import { isValidPhoneNumber } from 'libphonenumber-js/min';
import type { DetectorRecord, Match } from '../record.js';
import { HAS_DIGIT, IS_FOREIGN } from '../words.js';
import { callingCodeLength } from './phone-calling-codes.js';
import { digitsOf, extensionEnd, mayEnd, type PhoneGroups, readPhoneGroups } from './phone-groups.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** A number with its calling code: behind `+` in any grouping, behind `00` with gaps. The length must be one of the country's. */
export const phoneInternational: DetectorRecord = {
  type: 'PHONE',
  source: 'ITU-T E.164; lengths from libphonenumber, https://github.com/google/libphonenumber',
  trigger: { kind: 'word', has: HAS_DIGIT, lacks: IS_FOREIGN, minDigits: 7, minLength: 1, maxLength: 22 },
  match({ words: { text, starts } }, word) {
    const at = starts[word] as number;
    const start = plusBefore(text, at);
    if (start >= 0) return isFree(text, start) ? read(text, start, at, 0) : undefined;
    if (unitAt.call(text, at) !== ZERO || unitAt.call(text, at + 1) !== ZERO) return undefined;
    const before = unitAt.call(text, at - 1);
    const hasGaps = !/^[0-9]{6}/.test(text.slice(at, at + 6));
    return hasGaps && before !== 0x2e && before !== 0x2d && before !== 0x2f
      ? read(text, at, at, 2)
      : undefined;
  },
  examples: [
    { text: 'call Marcus on +49 30 23125 226. Thanks', found: '+49 30 23125 226' },
    { text: 'phone number +1-410-555-6789 as', found: '+1-410-555-6789' },
    { text: 'row: +12125550163;x', found: '+12125550163' },
    { text: 'Fax: +46 (0)157 548 89', found: '+46 (0)157 548 89' },
    { text: '+44 (20) 7123 4567', found: '+44 (20) 7123 4567' },
    { text: '+63 (917) 123 4567', found: '+63 (917) 123 4567' },
    { text: '+33 1 99 00 40 61 or so', found: '+33 1 99 00 40 61' },
    { text: 'tel:+1-212-555-0104;ext=5', found: '+1-212-555-0104' },
    { text: '0049 30 23125 226', found: '0049 30 23125 226' },
    { text: '+7 (912) 345-67-89 8 (912) 345-67-90', found: '+7 (912) 345-67-89' },
    { text: '+971 50 123 4567 050 123 4567', found: '+971 50 123 4567' },
    { text: '+1 212 555 0183 ext. 45', found: '+1 212 555 0183 ext. 45' },
  ],
  counterExamples: [
    '2024-05-01T10:00:00+0100',
    '+100 points and +2024-01-01',
    'diff +12345 -67890, +12345678 requests',
    '0012345678905',
    'a+12125550163',
    '+1 212 555 01',
    '1e+10',
  ],
};

const ZERO = 0x30;
const PLUS = 0x2b;

/** Where the `+` of a number is: `+1`, `+(1)`, `(+1)`; -1 if there is none. */
function plusBefore(text: string, at: number): number {
  const before = unitAt.call(text, at - 1);
  if (before === PLUS) return unitAt.call(text, at - 2) === 0x28 ? at - 2 : at - 1;
  return before === 0x28 && unitAt.call(text, at - 2) === PLUS ? at - 2 : -1;
}

/** No letter, digit or `+` right before it. */
function isFree(text: string, start: number): boolean {
  return start === 0 || !/[0-9A-Za-z+_]/.test(text.charAt(start - 1));
}

/** @param prefix how many digits before the calling code mean "international". */
function read(text: string, start: number, at: number, prefix: number): Match | undefined {
  const groups = readPhoneGroups(text, at);
  const { length } = groups.starts;
  // Fewer digits than these have no calling code.
  if (length === 0 || (groups.ends[length - 1] as number) - at < 8) return undefined;
  let longest: Match | undefined;
  let longestDigits = '';
  for (let count = length; count > 0; count--) {
    const end = groups.ends[count - 1] as number;
    const behind = extensionEnd(text, end);
    if ((behind === end && !mayEnd(text, end)) || !isBalanced(text, start, end)) continue;
    const digits = nationalDigits(text, groups, count).slice(prefix);
    if (!isPossible(digits)) continue;
    const found = { start, end: behind, score: prefix === 0 ? 90 : 80 };
    if (count === length && !goesOn(text, end)) return found;
    // Of two numbers in a row the first ends where it is a number that is given out. Slow, and rarely needed.
    if (longest === undefined) {
      longest = found;
      longestDigits = digits;
    } else if (isValidPhoneNumber(`+${longestDigits}`)) return longest;
    else if (isValidPhoneNumber(`+${digits}`)) return found;
  }
  return longest;
}

/** Whether more digits follow behind a blank. */
function goesOn(text: string, end: number): boolean {
  return /^ [(]?[0-9]/.test(text.slice(end, end + 3));
}

/** As many `(` as `)`. */
function isBalanced(text: string, start: number, end: number): boolean {
  let open = 0;
  for (let at = start; at < end; at++) {
    const unit = unitAt.call(text, at);
    if (unit === 0x28) open++;
    else if (unit === 0x29) open--;
  }
  return open === 0;
}

/** Digits without the trunk zero of `+46 (0)157`. */
function nationalDigits(text: string, groups: PhoneGroups, count: number): string {
  const trunk = groups.starts.findIndex(
    (_, group) => unitAt.call(text, (groups.starts[group + 1] ?? 0) - 1) === 0x28,
  );
  const isTrunk =
    trunk >= 0 && trunk + 1 < count && text.slice(groups.starts[trunk + 1], groups.ends[trunk + 1]) === '0';
  if (!isTrunk) return digitsOf(text, groups, count);
  const before = digitsOf(text, groups, trunk + 1);
  return before + digitsOf(text, groups, count).slice(before.length + 1);
}

function isPossible(digits: string): boolean {
  if (digits.length < 8 || digits.length > 15) return false;
  return callingCodeLength(digits) > 0;
}
