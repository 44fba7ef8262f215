/** Names of people that a document has told in full; a part of one alone is then a person as well. */
export class KnownPeople {
  readonly #hashes = new Set<number>();
  /** The lower 12 bits of the hashes. */
  readonly #sieve = new Uint8Array(SIEVE + 1);

  /** How many are known; grows when a new one was learnt. */
  get size(): number {
    return this.#hashes.size;
  }

  learn(hash: number): void {
    // A dump of a million people: from then on their first names are found as names of the list only.
    if (this.#hashes.size >= MOST) return;
    this.#hashes.add(hash);
    this.#sieve[hash & SIEVE] = 1;
  }

  has(hash: number): boolean {
    return this.#sieve[hash & SIEVE] !== 0 && this.#hashes.has(hash);
  }
}

const SIEVE = 0xfff;
const MOST = 50_000;
