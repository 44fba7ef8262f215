import { HAS_DIGIT, HAS_LETTER, IS_CAPITAL, IS_FOREIGN, type Words } from '../words.js';

const MOST_WORDS = 24;

/** True when a value whose key speaks of an address may be a postal one: words and a number, or several names. */
export function isAddressField(words: Words, text: string): boolean {
  const { count, kinds } = words;
  if (count === 0 || count > MOST_WORDS || NOT_POSTAL.test(text)) return false;
  let numbers = 0;
  let letters = 0;
  let capitals = 0;
  for (let word = 0; word < count; word++) {
    const kind = kinds[word] as number;
    if ((kind & HAS_DIGIT) !== 0) numbers++;
    if ((kind & HAS_LETTER) !== 0 && ((kind & HAS_DIGIT) === 0 || (kind & IS_FOREIGN) !== 0)) letters++;
    if ((kind & IS_CAPITAL) !== 0) capitals++;
  }
  if (letters === 0 || (count === 1 && !isOtherScript(text))) return false;
  return numbers > 0 || capitals >= 2 || (capitals === 0 && letters === count && isOtherScript(text));
}

/** Scripts without capital letters. */
function isOtherScript(text: string): boolean {
  return !/[a-z]/i.test(text) && /\p{L}/u.test(text);
}

/** Of mail, of a machine, of a page; a rule of a form. */
const NOT_POSTAL = /[@|{}<>=]|:\/\/|\b(?:[\da-f]{2}[:-]){5}|\b\d{1,3}(?:\.\d{1,3}){3}\b|::/i;
