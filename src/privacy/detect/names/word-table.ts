import { foldedHash } from './fold-word.js';

/** Short lists of words, each with bits, asked by the hash of a word in plain letters. */
export class WordTable {
  readonly #bits = new Map<number, number>();
  /** The lower 14 bits of the hashes that are in: one look for the many words that are not. */
  readonly #sieve = new Uint8Array(SIEVE + 1);

  /** @param lists bits and the words that have them, separated by blanks. */
  constructor(lists: readonly (readonly [bits: number, words: string])[]) {
    for (const [bits, words] of lists) for (const word of words.split(' ')) this.#add(word, bits);
  }

  bitsOf(hash: number): number {
    return this.#sieve[hash & SIEVE] === 0 ? 0 : (this.#bits.get(hash) ?? 0);
  }

  #add(word: string, bits: number): void {
    const hash = foldedHash(word, 0, word.length);
    this.#bits.set(hash, (this.#bits.get(hash) ?? 0) | bits);
    this.#sieve[hash & SIEVE] = 1;
  }
}

const SIEVE = 0x3fff;
