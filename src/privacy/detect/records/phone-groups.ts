/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** Groups of digits that may be one telephone number, as they stand in a text. */
export interface PhoneGroups {
  /** Offsets of each group. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Lengths of all groups up to each as decimal digits: 3, 33, 334 for `212-555-0131`. Not a number beyond 9 digits. */
  readonly shapes: readonly number[];
}

/**
 * Groups of digits from an offset on, with one of ` -./()` (or `) `, ` (`, ` - `) between them. Stops after
 * {@link MOST_DIGITS} digits.
 */
export function readPhoneGroups(text: string, from: number): PhoneGroups {
  const starts: number[] = [];
  const ends: number[] = [];
  const shapes: number[] = [];
  let at = from;
  let digits = 0;
  while (starts.length < MOST_GROUPS) {
    const start = at;
    while (isDigit(unitAt.call(text, at))) at++;
    if (at === start) break;
    digits += at - start;
    if (digits > MOST_DIGITS) break;
    shapes.push(at - start > 9 ? Number.NaN : (shapes.at(-1) ?? 0) * 10 + at - start);
    starts.push(start);
    ends.push(at);
    at = gapEnd(text, at);
    if (at < 0) break;
  }
  return { starts, ends, shapes };
}

/** Whether another group of digits stands right before, with one blank or joint between: a number is read from its start. */
export function isContinued(text: string, at: number): boolean {
  if (at < 2) return false;
  const unit = unitAt.call(text, at - 1);
  return (
    (isBlank(unit) || unit === 0x2d || unit === 0x2e || unit === 0x2f) && isDigit(unitAt.call(text, at - 2))
  );
}

/** Where the next group starts, if it has exactly this many digits; else -1. Cheap: most numbers are no telephone numbers. */
export function nextGroup(text: string, end: number, length: number): number {
  const start = gapEnd(text, end);
  if (start < 0) return -1;
  for (let at = start + 1; at < start + length; at++) if (!isDigit(unitAt.call(text, at))) return -1;
  return isDigit(unitAt.call(text, start + length)) ? -1 : start;
}

/** What stands between a group and the next: `-`, ` `, `) `, ... */
export function gapBehind(text: string, groups: PhoneGroups, group: number): string {
  return text.slice(groups.ends[group], groups.starts[group + 1]);
}

/** The digits of the first groups. */
export function digitsOf(text: string, groups: PhoneGroups, count: number): string {
  let digits = '';
  for (let at = 0; at < count; at++) digits += text.slice(groups.starts[at], groups.ends[at]);
  return digits;
}

/** Whether a number may end behind this group: not in the middle of a word, a date, a time, a decimal, an address. */
export function mayEnd(text: string, end: number): boolean {
  const unit = unitAt.call(text, end);
  if (Number.isNaN(unit)) return true;
  if (isDigit(unit) || isLetter(unit) || unit === 0x5f || unit === 0x40 || unit === 0x25) return false;
  const next = unitAt.call(text, end + 1);
  // `212-555-0123/4`: the last digit of a second number.
  if (unit === 0x2f && /^\/[0-9]{1,2}(?![-/.0-9A-Za-z])/.test(text.slice(end, end + 4))) return true;
  // `-`, `.`, `/` and `:` before a digit go on; so does `-` before a letter, but not before a word ("-Office").
  if (unit === 0x2d || unit === 0x2f || unit === 0x3a || unit === 0x2e)
    return !isDigit(next) && !(unit === 0x2d && isLetter(next) && !isLetter(unitAt.call(text, end + 3)));
  return true;
}

/** The end of an extension behind a number ("ext. 5", "x123", "Durchwahl 12"), else the end of the number. */
export function extensionEnd(text: string, end: number): number {
  const unit = unitAt.call(text, end);
  if (unit !== 0x20 && unit !== 0x2c && unit !== 0x3b && unit !== 0x23 && !isLetter(unit)) return end;
  const found = EXTENSION.exec(text.slice(end, end + 26));
  return found ? end + found[0].length : end;
}

/** Seven groups of two digits are the longest way to write one; 15 digits are the most of E.164, and a 00 before them. */
const MOST_GROUPS = 8;
const MOST_DIGITS = 17;

const EXTENSION =
  /^[ ,;]{0,2}(?:x|ext\.?|extn\.?|extension|poste|durchwahl|dw\.?|anexo|ramal|int\.?|interno|toestel|доб\.?|#)[ :.]{0,2}[0-9]{1,6}(?![0-9A-Za-z])/i;

/** Where the next group starts, if a gap and a digit follow; else -1. */
function gapEnd(text: string, from: number): number {
  let at = from;
  let hasJoint = false;
  for (; at - from < 4; at++) {
    const unit = unitAt.call(text, at);
    if (isDigit(unit)) return at > from ? at : -1;
    if (isBlank(unit)) {
      if (at > from && isBlank(unitAt.call(text, at - 1))) return -1;
    } else if (unit === 0x28 || unit === 0x29) {
    } else if (
      unit === 0x2d ||
      unit === 0x2e ||
      unit === 0x2f ||
      unit === 0x2010 ||
      unit === 0x2011 ||
      unit === 0x2013
    ) {
      if (hasJoint) return -1;
      hasJoint = true;
    } else return -1;
  }
  return -1;
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0xa0 || unit === 0x202f || unit === 0x2009;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isLetter(unit: number): boolean {
  const lower = unit | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || unit > 0xbf;
}

/** What may stand before a number: nothing that joins. */
export function isFree(before: number): boolean {
  return (
    before !== 0x2d &&
    before !== 0x2e &&
    before !== 0x2f &&
    before !== 0x5f &&
    before !== 0x23 &&
    before !== 0x24 &&
    before !== 0x40 &&
    before !== 0x2b
  );
}
