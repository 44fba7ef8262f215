import { HAS_DIGIT, HAS_LETTER, HAS_LOWER, HAS_UPPER, IS_CAPITAL, IS_FOREIGN, type Words } from '../words.js';
import { isCamelCase, plainHash } from './capital-run.js';
import { COMMON_FAMILY, FAMILY, FREQUENT, GIVEN, type NameList, ORDINARY, PLACE } from './name-list.js';
import { isForeignName } from './other-scripts.js';
import { A_NAME, A_PERSON } from './person-key.js';
import { ORGANISATION, PARTICLE, PLACEHOLDER, TITLE, VOCABULARY } from './vocabulary.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** Words of a name with all its parts; a longer value is prose. */
const MOST_WORDS = 9;

/**
 * The score of a whole value whose key speaks of a name; 0 when it is none.
 *
 * @param grade what the key says, as person-key.ts grades it.
 */
export function scoreOfField(list: NameList, words: Words, text: string, grade: number): number {
  const { count, kinds, starts, ends } = words;
  if (count === 0 || count > MOST_WORDS || !hasNamePunctuation(words, text)) return 0;
  let names = 0;
  let counted = 0;
  let ordinary = 0;
  let capitals = 0;
  let placeholders = 0;
  let organisations = 0;
  let frequent = 0;
  let foreign = 0;
  for (let word = 0; word < count; word++) {
    const kind = kinds[word] as number;
    if ((kind & HAS_DIGIT) !== 0 || (kind & HAS_LETTER) === 0) return 0;
    if (isOtherScript(unitAt.call(text, starts[word] as number), kind)) {
      foreign++;
      continue;
    }
    if (isCamelCase(text, starts[word] as number, ends[word] as number)) return 0;
    const hash = plainHash(words, text, word);
    const roles = VOCABULARY.bitsOf(hash);
    if ((roles & (TITLE | PARTICLE)) !== 0 && count > 1) continue;
    const bits = list.bitsOf(hash);
    counted++;
    if ((kind & IS_CAPITAL) !== 0) capitals++;
    if ((roles & PLACEHOLDER) !== 0) placeholders++;
    if ((roles & ORGANISATION) !== 0 && (bits & COMMON_FAMILY) === 0) organisations++;
    if ((bits & (GIVEN | FAMILY)) !== 0 && (bits & (ORDINARY | PLACE)) === 0) names++;
    else if ((bits & ORDINARY) !== 0) {
      if ((bits & (GIVEN | COMMON_FAMILY)) === 0) ordinary++;
      if ((bits & FREQUENT) !== 0) frequent++;
    }
  }
  if (foreign > 0) return counted === 0 && isForeignName(text, grade === A_NAME) ? 84 : 0;
  if (counted === 0 || placeholders === counted || organisations > 0) return 0;
  if (grade === A_PERSON) return acceptsPerson(capitals, names, ordinary, frequent, counted) ? 92 : 0;
  if (capitals < counted && !(names === counted && counted > 1)) return 0;
  if (ordinary > 0 || placeholders > 0) return 0;
  if (counted === 1) return names === 1 && isKnownAlone(list, words, text) ? 70 : 0;
  if (counted > 5) return 0;
  return names > 0 || (frequent === 0 && hasShapeOfName(words, text)) ? 82 : 0;
}

function acceptsPerson(
  capitals: number,
  names: number,
  ordinary: number,
  frequent: number,
  all: number,
): boolean {
  if (capitals === 0) return names > 0 && frequent === 0;
  return names > 0 || ordinary < all;
}

/** One given name under `name`: surnames and rare names alone may be a product's. */
function isKnownAlone(list: NameList, words: Words, text: string): boolean {
  return (list.bitsOf(plainHash(words, text, 0)) & GIVEN) !== 0 && !isShort(words);
}

function isShort(words: Words): boolean {
  return (words.ends[0] as number) - (words.starts[0] as number) < 3;
}

/** Capital and small letters in each word, as people write names that no list knows. */
function hasShapeOfName(words: Words, text: string): boolean {
  for (let word = 0; word < words.count; word++) {
    const length = (words.ends[word] as number) - (words.starts[word] as number);
    if (length < 3) continue;
    const kind = words.kinds[word] as number;
    if ((kind & (HAS_UPPER | HAS_LOWER)) !== (HAS_UPPER | HAS_LOWER)) return false;
    if (!hasVowel(text, words.starts[word] as number, words.ends[word] as number)) return false;
  }
  return true;
}

function hasVowel(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++)
    if (unitAt.call(text, at) > 127 || VOWELS.includes(text.charAt(at))) return true;
  return false;
}

/** Blanks, dots, commas, hyphens, apostrophes, brackets: all that stands between and around the words of a name. */
function hasNamePunctuation(words: Words, text: string): boolean {
  let from = 0;
  let commas = 0;
  for (let word = 0; word <= words.count; word++) {
    const to = word < words.count ? (words.starts[word] as number) : text.length;
    if (to - from > 3) return false;
    for (let at = from; at < to; at++) {
      const unit = unitAt.call(text, at);
      if (unit === 44 && ++commas > 2) return false;
      if (!ALLOWED.includes(text.charAt(at))) return false;
    }
    if (word < words.count) from = words.ends[word] as number;
  }
  return true;
}

function isOtherScript(unit: number, kind: number): boolean {
  return (kind & IS_FOREIGN) !== 0 && unit >= 0x370 && !(unit >= 0x1e00 && unit < 0x1f00);
}

const VOWELS = 'aeiouyAEIOUY';
const ALLOWED = ' .,-\'’‐()"·・\u00a0';
