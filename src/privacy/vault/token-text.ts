/** Crockford's base 32: no I, L, O, U, so that no token begins inside the counter or tag of another. */
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Characters of the counter, and of the tag: 30 bits each. */
const FIELD_CHARS = 6;
/**
 * `P`, which no tag ends with: else half a token that lacks its last character would become whole when a token is put
 * behind it.
 */
export const NEVER_LAST = 22;
/** Counters of text tokens and number tokens, over all types: 0 to this, exclusive. */
export const COUNTERS = 32 ** FIELD_CHARS;
/** Spellings of one value that share a counter: one decimal digit. */
export const SPELLINGS = 10;
/** Letters of a type's name in a token, at most: bounds what the search for tokens looks at. */
export const MAX_TYPE_LETTERS = 16;
/** Digit of the spelling, counter, tag: what follows the letters of the type. */
export const CHARS_AFTER_TYPE = 1 + 2 * FIELD_CHARS;
/** Of them the ones before the tag. */
export const CHARS_BEFORE_TAG = 1 + FIELD_CHARS;

/** How tokens of a type name it. */
export interface TypeLetters {
  /** `NATIONAL_ID`: `NATIONALID`. Letters only, so that the digit behind them ends the name. */
  readonly letters: string;
  /** {@link addLetter} over them. */
  readonly hash: number;
}

export function lettersOf(type: string): TypeLetters {
  let known = KNOWN_TYPES.get(type);
  if (known === undefined) {
    const letters =
      type
        .toUpperCase()
        .replace(/[^A-Z]/g, '')
        .slice(0, MAX_TYPE_LETTERS) || 'VALUE';
    let hash = 0;
    for (let at = 0; at < letters.length; at += 1) hash = addLetter(hash, letters.charCodeAt(at));
    known = { letters, hash };
    KNOWN_TYPES.set(type, known);
  }
  return known;
}

/** Types are those of the product and of the configuration. */
const KNOWN_TYPES = new Map<string, TypeLetters>();

/**
 * `PII` + letters of the type + one digit for the spelling + six characters of counter + six of tag:
 * `PIIEMAIL0000007K7Q2XD`. The digit ends the letters and the rest has a fixed width, so no token begins another.
 */
export function writeToken(letters: string, spelling: number, counter: number, tag: number): string {
  return `PII${letters}${spelling}${base32(counter)}${base32(tag)}`;
}

/** Letters as 32 bits that are compared in place of a string, one letter in either case after the other. */
export function addLetter(hash: number, code: number): number {
  return Math.imul(hash ^ (code | 32), 0x01000193);
}

/** 30 bits as six characters. */
function base32(value: number): string {
  return `${PAIRS[value >> 20]}${PAIRS[(value >> 10) & 1023]}${PAIRS[value & 1023]}`;
}

/** Ten bits as two characters: a third of the steps. */
const PAIRS = Array.from(
  { length: 1024 },
  (_, value) => CROCKFORD.charAt(value >> 5) + CROCKFORD.charAt(value & 31),
);

/** By UTF-16 unit: what a character of base 32 counts, in either case; {@link NO_VALUE} for all others. */
export const BASE32_VALUES = new Uint8Array(65_536).fill(255);
export const NO_VALUE = 255;
for (const [value, character] of Array.from(CROCKFORD).entries()) {
  BASE32_VALUES[character.charCodeAt(0)] = value;
  BASE32_VALUES[character.toLowerCase().charCodeAt(0)] = value;
}
