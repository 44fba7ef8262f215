import { hashOfWord, splitWords, type Words } from './words.js';

/** Phrases of one or more words, each with bits; found in a text by the hash of the first word. */
export class Phrases {
  /** Lists of phrases by the lower bits of the hash of their first word. */
  readonly #bySlot: (Phrase[] | undefined)[] = new Array(SLOTS).fill(undefined);
  /** Which slots are taken: small enough to stay in the first cache, for most words are in none. */
  readonly #taken = new Uint8Array(SLOTS);

  /** Adds bits for a phrase, also for its words written as one. */
  add(phrase: string, bits: number, boundBits: number): void {
    const words = splitWords(phrase.toLowerCase());
    const spelled = Array.from({ length: words.count }, (_, index) =>
      words.text.slice(words.starts[index], words.ends[index]),
    );
    if (spelled.length === 0) return;
    this.#put(spelled, bits, boundBits);
    if (spelled.length > 1) this.#put([spelled.join('')], bits, boundBits);
  }

  /** Phrases of which one may start with this hash; mostly none. */
  startingWith(hash: number): readonly Phrase[] | undefined {
    const slot = hash & (SLOTS - 1);
    return this.#taken[slot] === 0 ? undefined : this.#bySlot[slot];
  }

  #put(spelled: readonly string[], bits: number, boundBits: number): void {
    const slot = hashOfWord(spelled[0] as string) & (SLOTS - 1);
    const same = this.#bySlot[slot] ?? [];
    this.#bySlot[slot] = same;
    this.#taken[slot] = 1;
    const key = spelled.join(' ');
    const known = same.find((phrase) => phrase.words.join(' ') === key);
    if (known) {
      known.bits |= bits;
      known.boundBits |= boundBits;
    } else same.push({ words: spelled, hashes: spelled.map(hashOfWord), bits, boundBits });
  }
}

export interface Phrase {
  readonly words: readonly string[];
  readonly hashes: readonly number[];
  /** Types that it speaks of wherever it stands. */
  bits: number;
  /** Types that it speaks of only as a label, before `:` or `=`. */
  boundBits: number;
}

/** True when the phrase stands in the text from this word on. */
export function isPhraseAt(phrase: Phrase, words: Words, word: number): boolean {
  const { hashes } = phrase;
  if (words.hashes[word] !== hashes[0]) return false;
  const last = word + hashes.length - 1;
  if (last >= words.count) return false;
  for (let offset = 1; offset < hashes.length; offset++) {
    if (words.hashes[word + offset] !== hashes[offset]) return false;
    const gap = (words.starts[word + offset] as number) - (words.ends[word + offset - 1] as number);
    if (gap > MAX_GAP) return false;
  }
  // Another word may have the same hash: one in four billion, and then mostly not the same length.
  return (words.ends[word] as number) - (words.starts[word] as number) === (phrase.words[0] as string).length;
}

/** Characters between two words of a phrase: `date of birth`, `date-of-birth`, `acct. no`, `driver's license`. */
const MAX_GAP = 3;
const SLOTS = 0x4000;
