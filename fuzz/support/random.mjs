// @ts-check
/** Random numbers from a seed (xorshift128), ten times as cheap as those of fast-check: for the loops that run millions of times. */
export class Random {
  #a;
  #b;
  #c;
  #d;

  /** @param {number} seed any 32-bit integer; equal seeds give equal numbers */
  constructor(seed) {
    // Splitmix over the seed: neighbours must not begin alike, and all zeros would stay zeros.
    let state = seed | 0;
    const part = () => {
      state = (state + 0x9e3779b9) | 0;
      let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
      return (mixed ^ (mixed >>> 15)) | 1;
    };
    this.#a = part();
    this.#b = part();
    this.#c = part();
    this.#d = part();
  }

  /** 32 random bits, unsigned. */
  bits() {
    const mixed = this.#a ^ (this.#a << 11);
    this.#a = this.#b;
    this.#b = this.#c;
    this.#c = this.#d;
    this.#d = this.#d ^ (this.#d >>> 19) ^ mixed ^ (mixed >>> 8);
    return this.#d >>> 0;
  }

  /** From 0 to below `limit`. @param {number} limit */
  below(limit) {
    return this.bits() % limit;
  }

  /** True once in `n`. @param {number} n */
  onceIn(n) {
    return this.bits() % n === 0;
  }

  /**
   * @template T
   * @param {readonly [T, ...T[]]} list
   * @returns {T}
   */
  pick(list) {
    return list[this.below(list.length)] ?? list[0];
  }
}
