import { editDistance } from '../../core/nearest.js';
import type { SealedIndex } from './sealed-index.js';
import { stem } from './stem.js';

/** Shorter words have too many neighbours: `cat`, `car`, `cut`. */
const MIN_LENGTH = 5;
/** A compound's parts; shorter ones are found in any word. */
const MIN_PART = 3;
const MAX_WORD = 30;
/** Similar words taken: a misspelling has one meaning, two at most. */
const MAX_SIMILAR = 2;

/** The two known words that an unknown one is made of (`wordcloud`), the most even split; undefined if there are none. */
export function splitCompound(word: string, index: SealedIndex): number[] | undefined {
  if (word.length < 2 * MIN_PART || word.length > MAX_WORD) return undefined;
  let best: number[] | undefined;
  let bestShorter = 0;
  for (let cut = MIN_PART; cut <= word.length - MIN_PART; cut++) {
    const shorter = Math.min(cut, word.length - cut);
    if (shorter <= bestShorter) continue;
    const first = index.words.get(stem(word.slice(0, cut)));
    const second = first === undefined ? undefined : index.words.get(stem(word.slice(cut)));
    if (first === undefined || second === undefined) continue;
    best = [first, second];
    bestShorter = shorter;
  }
  return best;
}

/**
 * Known words one edit away (two from eight letters on) that begin with the same letter: the first letter is almost
 * never the misspelt one, and it keeps the comparison to a twentieth of the vocabulary.
 */
export function similarWords(word: string, index: SealedIndex): number[] {
  if (word.length < MIN_LENGTH || word.length > MAX_WORD || !/^[a-z]+$/.test(word)) return [];
  const limit = word.length >= 8 ? 2 : 1;
  const found: { number: number; distance: number; word: string }[] = [];
  const letters = lettersOf(word);
  for (let length = word.length - limit; length <= word.length + limit; length++) {
    for (const known of index.bucket(word.charAt(0), length)) {
      // An edit changes two letters of the set at most; this spares nearly all comparisons.
      if (ones(letters ^ lettersOf(known)) > 2 * limit) continue;
      const distance = editDistance(word, known, limit + 1);
      if (distance <= limit) found.push({ number: index.words.get(known) ?? 0, distance, word: known });
    }
  }
  found.sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1));
  const nearestDistance = found[0]?.distance;
  return found
    .filter(({ distance }) => distance === nearestDistance)
    .slice(0, MAX_SIMILAR)
    .map(({ number }) => number);
}

/** The letters a to z of a word, a bit each. */
function lettersOf(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31);
  return bits;
}

function ones(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
