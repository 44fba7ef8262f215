/** Width of a bucket relative to its lower edge: quantiles are right within 4 %. */
const GROWTH = 1.04;
const SMALLEST_MS = 0.1;
/** Up to 0.1 ms * 1.04 ^ 440, about 50 minutes; longer ones count as that. */
const BUCKETS = 440;

/** Durations in a histogram of fixed size (3.5 kB), however many are added. */
export class Latencies {
  readonly #buckets = new Float64Array(BUCKETS);
  #count = 0;

  add(ms: number): void {
    const index = ms <= SMALLEST_MS ? 0 : Math.floor(Math.log(ms / SMALLEST_MS) / Math.log(GROWTH)) + 1;
    const bucket = Math.min(BUCKETS - 1, index);
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1;
    this.#count++;
  }

  /** The duration in milliseconds under which the share `q` (0 to 1) of all lies; undefined before the first. */
  quantile(q: number): number | undefined {
    if (this.#count === 0) return undefined;
    const rank = Math.max(1, Math.ceil(q * this.#count));
    let seen = 0;
    let bucket = 0;
    for (; bucket < BUCKETS; bucket++) {
      seen += this.#buckets[bucket] ?? 0;
      if (seen >= rank) break;
    }
    const middle = bucket === 0 ? SMALLEST_MS : SMALLEST_MS * GROWTH ** (bucket - 0.5);
    return middle < 10 ? Number(middle.toFixed(2)) : Math.round(middle);
  }
}
