/**
 * What a character beyond ASCII is. The bits up to 32 are those of `Words.kinds`, repeated here because a cycle of
 * imports between the two files would be worse.
 */
const DIGIT = 1;
const LETTER = 2;
const UPPER = 4;
const LOWER = 8;
const FOREIGN = 16;

/** Folding changes it, whatever stands around: full-width, mathematical, invisible, a combining mark. */
export const NEEDS_FOLDING = 64;
/** A letter of another script that looks like a Latin one. */
export const HAS_LOOKALIKE = 128;
/** Word bits and folding bits of a code point beyond ASCII. */
export function kindOfPoint(point: number): number {
  const character = String.fromCodePoint(point);
  let kind = 0;
  if (isInvisible(point)) return kind | NEEDS_FOLDING;
  if (DIGITS.test(character)) kind |= DIGIT | FOREIGN;
  else if (LETTERS.test(character)) {
    kind |= LETTER | FOREIGN;
    if (UPPERS.test(character)) kind |= UPPER;
    if (LOWERS.test(character)) kind |= LOWER;
  }
  if (MARKS.test(character) || compatible(character, point) !== character) kind |= NEEDS_FOLDING;
  if (LOOKALIKES.has(character)) kind |= HAS_LOOKALIKE;
  return kind;
}

/** Zero width, soft hyphen, direction marks, variation selectors, tags: takes no room on the screen. */
export function isInvisible(point: number): boolean {
  return (
    point === 0xad ||
    point === 0x34f ||
    point === 0x61c ||
    point === 0x180e ||
    (point >= 0x200b && point <= 0x200f) ||
    (point >= 0x202a && point <= 0x202e) ||
    (point >= 0x2060 && point <= 0x206f) ||
    (point >= 0xfe00 && point <= 0xfe0f) ||
    point === 0xfeff ||
    (point >= 0xe0000 && point <= 0xe0fff)
  );
}

/** The plain spelling of one character: compatibility forms, digits of all scripts, dashes, blanks and quotes. */
export function compatible(character: string, point: number): string {
  if (point < 128) return character;
  const special = PUNCTUATION.get(point);
  if (special !== undefined) return special;
  if (DIGITS.test(character)) return digitOf(point);
  return character.normalize('NFKC');
}

/** The Latin letter that a letter of another script looks like. */
export function lookalike(character: string): string | undefined {
  return LOOKALIKES.get(character);
}

const DIGITS = /^\p{Nd}$/u;
const LETTERS = /^[\p{L}\p{M}\p{Nl}]$/u;
const UPPERS = /^\p{Lu}$/u;
const LOWERS = /^\p{Ll}$/u;
const MARKS = /^\p{M}$/u;

/** Digits of a script are ten code points in a row. */
function digitOf(point: number): string {
  let zero = point;
  while (point - zero < 9 && DIGITS.test(String.fromCodePoint(zero - 1)) && !startsRow(zero)) zero--;
  return String((point - zero) % 10);
}

/** Rows of digits touch in the mathematical block, and there only: five rows from U+1D7CE on. */
function startsRow(point: number): boolean {
  return point >= 0x1d7ce && point <= 0x1d7ff && (point - 0x1d7ce) % 10 === 0;
}

const PUNCTUATION = new Map<number, string>();
for (const [plain, characters] of [
  ['-', '\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\ufe58\ufe63\uff0d'],
  [' ', '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000'],
  ["'", '\u2018\u2019\u201b\u2032\uff07'],
  ['"', '\u201c\u201d\u201f\u2033\uff02'],
  ['.', '\u2024\uff0e\u3002\uff61'],
  ['@', '\ufe6b\uff20'],
  [':', '\u2236\ua789\ufe55\uff1a'],
  ['/', '\u2044\u2215\uff0f'],
] as const)
  for (const character of characters) PUNCTUATION.set(character.codePointAt(0) as number, plain);

const LOOKALIKES = new Map<string, string>();
for (const [latin, others] of [
  // Cyrillic
  ['ABCEHIJKMOPSTXYV', 'АВСЕНІЈКМОРЅТХУѴ'],
  ['aceijopsxyhvwdqlg', 'асеіјорѕхуһѵԝԁԛӏɡ'],
  ['YKZ', 'ҮԞꙀ'],
  // Greek
  ['ABEZHIKMNOPTYX', 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ'],
  ['aioupvynkt', 'αιουρνγηκτ'],
  // Armenian, Latin letters of other languages that pass for plain ones
  ['hnuoqSO', 'հոսօզՏՕ'],
  ['iilLs', 'ıɩⅼⅬꜱ'],
] as const)
  for (let at = 0; at < latin.length; at++) {
    const other = [...others][at];
    if (other !== undefined) LOOKALIKES.set(other, latin.charAt(at));
  }
