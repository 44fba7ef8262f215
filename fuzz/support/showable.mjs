// @ts-check
import { insist } from './oracle.mjs';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const ACTIVE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/u;

/** Whether a text holds what acts on a terminal, reorders, or is no text. @param {string} text */
export function isActive(text) {
  return ACTIVE.test(text);
}

/** Beyond that what nobody sees. The two joiners may stand between letters that need them. */
const UNSEEN = /[\u00ad\u200b\u200e\u200f\u2028\u2029\u2060-\u206f\u3164]/u;

/**
 * Whether a text holds what a reader would not see as it is.
 *
 * @param {string} text
 */
export function isHidden(text) {
  return isActive(text) || UNSEEN.test(text);
}

/**
 * An answer as it may leave: visible, bounded, the same for programs.
 *
 * @param {string} text
 * @param {unknown} structured
 * @param {number} mostChars
 */
export function insistShowable(text, structured, mostChars) {
  insist(!isHidden(text), () => `active characters in ${JSON.stringify(text).slice(0, 300)}`);
  insist(!text.includes('\r'), 'a carriage return in a text');
  insist(text.length <= mostChars, () => `a text of ${text.length} characters`);
  const json = JSON.stringify(structured);
  insist(
    typeof json === 'string' && json.length <= 12 * mostChars,
    () => `a structure of ${json?.length} characters`,
  );
  for (const string of stringsIn(structured)) insist(!isHidden(string), 'active characters in the structure');
}

/** @param {unknown} value @returns {Generator<string>} */
function* stringsIn(value) {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) {
      yield key;
      yield* stringsIn(item);
    }
}
