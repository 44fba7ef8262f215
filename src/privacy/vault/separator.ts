const BACKSLASH = 92;
const PERCENT = 37;
const AMPERSAND = 38;
/** `\\\\` of JSON in JSON in JSON. */
const MAX_BACKSLASHES = 8;

/**
 * Index behind the separator that begins at `at`; `at` itself when there is none. Between the characters of a token may
 * stand what escaping, highlighting or hiding puts there: `\`, `_`, `-`, soft hyphens, invisible characters, and all of them
 * as `\u00ad`, `\xad`, `%5F`, `%C2%AD`, `&shy;`, `&#8203;`. The keyed tag decides whether it is a token, so this may be lenient.
 */
export function pastSeparator(text: string, at: number): number {
  if (at >= text.length) return at;
  const code = text.charCodeAt(at);
  if (code === BACKSLASH) return pastBackslashes(text, at);
  if (IS_SEPARATOR[code] === 1) return at + 1;
  if (code === PERCENT) return pastPercent(text, at);
  if (code === AMPERSAND) return pastEntity(text, at);
  return at;
}

function pastBackslashes(text: string, at: number): number {
  let next = at + 1;
  while (next - at < MAX_BACKSLASHES && codeAt(text, next) === BACKSLASH) next += 1;
  const letter = codeAt(text, next);
  const width = letter === SMALL_U ? 4 : letter === SMALL_X ? 2 : 0;
  const isEscape = width > 0 && isSeparator(hexAt(text, next + 1, width));
  return isEscape ? next + 1 + width : next;
}

/** One UTF-8 character of up to three bytes, each as `%XX`. */
function pastPercent(text: string, at: number): number {
  const first = percentByte(text, at);
  if (first < 0x80) return isSeparator(first) ? at + 3 : at;
  const second = percentByte(text, at + 3);
  if (second < 0x80) return at;
  if (first < 0xe0) return isSeparator(((first & 0x1f) << 6) | (second & 0x3f)) ? at + 6 : at;
  const third = percentByte(text, at + 6);
  if (third < 0x80 || first >= 0xf0) return at;
  const code = ((first & 0x0f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f);
  return isSeparator(code) ? at + 9 : at;
}

/** -1 when no `%XX` is there. */
function percentByte(text: string, at: number): number {
  return codeAt(text, at) === PERCENT ? hexAt(text, at + 1, 2) : -1;
}

function pastEntity(text: string, at: number): number {
  if (codeAt(text, at + 1) !== NUMBER_SIGN) {
    const name = ENTITIES.find((entity) => text.startsWith(entity, at));
    return name === undefined ? at : at + name.length;
  }
  const isHex = (codeAt(text, at + 2) | 32) === SMALL_X;
  const from = at + (isHex ? 3 : 2);
  const base = isHex ? 16 : 10;
  let end = from;
  let code = 0;
  for (; end - from < MAX_ENTITY_DIGITS; end += 1) {
    const digit = HEX_VALUES[codeAt(text, end)] ?? base;
    if (digit >= base) break;
    code = code * base + digit;
  }
  return codeAt(text, end) === SEMICOLON && isSeparator(code) ? end + 1 : at;
}

/** -1 when there are no `width` hexadecimal digits. */
function hexAt(text: string, at: number, width: number): number {
  let value = 0;
  for (let index = at; index < at + width; index += 1) {
    const digit = HEX_VALUES[codeAt(text, index)] ?? 255;
    if (digit > 15) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/** 0 past the end: V8 makes all later reads slow after one outside a string. */
function codeAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : 0;
}

function isSeparator(code: number): boolean {
  return code >= 0 && code < IS_SEPARATOR.length && IS_SEPARATOR[code] === 1;
}

const NUMBER_SIGN = 35;
const SEMICOLON = 59;
const SMALL_U = 117;
const SMALL_X = 120;
const MAX_ENTITY_DIGITS = 7;
const ENTITIES = ['&shy;', '&zwnj;', '&zwj;', '&ZeroWidthSpace;', '&lrm;', '&rlm;', '&lowbar;', '&bsol;'];

const HEX_VALUES = new Uint8Array(65_536).fill(255);
for (const [value, digit] of Array.from('0123456789abcdef').entries()) {
  HEX_VALUES[digit.charCodeAt(0)] = value;
  HEX_VALUES[digit.toUpperCase().charCodeAt(0)] = value;
}

/** By UTF-16 unit: `\`, `_`, `-`, and what leaves no mark on a screen. */
const IS_SEPARATOR = new Uint8Array(65_536);
for (const [from, to] of [
  [0x2d, 0x2d],
  [0x5c, 0x5c],
  [0x5f, 0x5f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x2010, 0x2011],
  [0x202a, 0x202e],
  [0x2060, 0x2064],
  [0x2066, 0x206f],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
] as const)
  IS_SEPARATOR.fill(1, from, to + 1);
