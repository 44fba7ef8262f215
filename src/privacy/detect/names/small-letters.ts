import { HAS_DIGIT, HAS_UPPER, hashOfWord, type Words } from '../words.js';
import { plainHash } from './capital-run.js';
import { COMMON_FAMILY, COMMON_GIVEN, FAMILY, GIVEN, type NameList, ORDINARY, PLACE } from './name-list.js';
import { SALUTATION, VOCABULARY } from './vocabulary.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** A longer stretch without a capital letter is no chat but data. */
const MOST_WORDS = 400;

/** True when nobody took the trouble of capital letters, as in chats. */
export function isAllSmall(words: Words): boolean {
  const { count, kinds } = words;
  if (count < 3 || count > MOST_WORDS) return false;
  for (let word = 0; word < count; word++) if (((kinds[word] as number) & HAS_UPPER) !== 0) return false;
  return true;
}

/**
 * Names in a stretch without capitals: a well-known given name and a surname, or one alone where it is told as a name or
 * stands in a list of such names. Calls `found` with the first word and the one behind the last.
 */
export function findSmallNames(
  list: NameList,
  words: Words,
  text: string,
  found: (from: number, to: number) => void,
): void {
  const { count, kinds } = words;
  let last = -2;
  let pending = -1;
  for (let word = 0; word < count; word++) {
    if (((kinds[word] as number) & HAS_DIGIT) !== 0) continue;
    const hash = plainHash(words, text, word);
    const bits = list.bitsOf(hash);
    if ((bits & GIVEN) === 0 || (bits & (ORDINARY | PLACE)) !== 0 || !standsFree(words, text, word)) continue;
    const end = endOfName(list, words, text, word, 0);
    const isCommon = (bits & COMMON_GIVEN) !== 0;
    const isListed = last >= 0 && word - last <= 1;
    if (isCommon && isListed && pending >= 0) found(pending, pending + 1);
    pending = -1;
    if ((end > word + 1 && isCommon) || isTold(words, text, word) || (isCommon && isListed)) found(word, end);
    else if (isCommon) pending = word;
    last = isCommon || end > word + 1 ? end : -2;
    word = end - 1;
  }
}

/** `my name is anna berg` where other words have capitals. @param word the `name`. */
export function findToldName(
  list: NameList,
  words: Words,
  text: string,
  word: number,
  found: (from: number, to: number) => void,
): void {
  const first = word + 2;
  if (first >= words.count || words.hashes[word + 1] !== IS) return;
  if (((words.kinds[first] as number) & (HAS_UPPER | HAS_DIGIT)) !== 0 || !isBlank(words, text, first))
    return;
  const bits = list.bitsOf(plainHash(words, text, first));
  if ((bits & GIVEN) === 0 || (bits & (ORDINARY | PLACE)) !== 0 || !standsFree(words, text, first)) return;
  found(first, endOfName(list, words, text, first, COMMON_FAMILY));
}

/** Goes on over initials and surnames. @param excuse bits with which an ordinary word is a surname as well. */
function endOfName(list: NameList, words: Words, text: string, word: number, excuse: number): number {
  let end = word + 1;
  for (let next = end; next < words.count && next - word < 4 && isBlank(words, text, next); next++) {
    const length = (words.ends[next] as number) - (words.starts[next] as number);
    const bits = list.bitsOf(plainHash(words, text, next));
    if (length === 1 && next === word + 1) continue;
    if ((bits & (FAMILY | GIVEN)) === 0 || length < 3) break;
    if ((bits & (ORDINARY | PLACE)) !== 0 && (bits & excuse) === 0) break;
    end = next + 1;
  }
  return standsFree(words, text, end - 1) ? end : word + 1;
}

/** `name is anna`, `i am anna`, `hi anna`. */
function isTold(words: Words, text: string, word: number): boolean {
  if (word === 0) return false;
  const before = text.slice(words.starts[word - 1], words.ends[word - 1]);
  const earlier = word < 2 ? '' : text.slice(words.starts[word - 2], words.ends[word - 2]);
  if (before === 'is') return earlier === 'name';
  if (before === 'am' || before === 'm') return earlier === 'i';
  if (before === 'called' || before === 'named') return true;
  return (VOCABULARY.bitsOf(plainHash(words, text, word - 1)) & SALUTATION) !== 0;
}

function isBlank(words: Words, text: string, word: number): boolean {
  const at = words.ends[word - 1] as number;
  const length = (words.starts[word] as number) - at;
  if (unitAt.call(text, at) === 46 /* . */)
    return length === 2 && at - (words.starts[word - 1] as number) === 1;
  return length === 1 && unitAt.call(text, at) === 32;
}

/** Between blanks and marks of a sentence, not in a path or an address. */
function standsFree(words: Words, text: string, word: number): boolean {
  const start = words.starts[word] as number;
  const end = words.ends[word] as number;
  const next = text.charAt(end + 1);
  return (
    (start === 0 || BEFORE.includes(text.charAt(start - 1))) &&
    (end === text.length ||
      (BEHIND.includes(text.charAt(end)) &&
        (text.charAt(end) === ' ' || next === '' || next === ' ' || next === '\n' || next === 's')))
  );
}

/** The word that {@link findToldName} starts from. */
export const NAME_WORD = hashOfWord('name');
const IS = hashOfWord('is');
const BEFORE = ' \n"“(';
const BEHIND = ' \n.,;!?"”)\'’';
