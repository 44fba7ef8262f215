/** What records found in one stretch, until it is decided which of it stays. */
export class Candidates {
  count = 0;
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly scores: number[] = [];
  readonly bits: number[] = [];

  clear(): void {
    this.count = 0;
  }

  add(bit: number, start: number, end: number, score: number): void {
    if (score < REPORTED || end <= start) return;
    const { count } = this;
    this.starts[count] = start;
    this.ends[count] = end;
    this.scores[count] = score;
    this.bits[count] = bit;
    this.count++;
  }

  /**
   * Hands over what stays, in the order of the text: of overlapping ones the higher score, then the longer, then the
   * first.
   */
  settle(keep: (start: number, end: number, bit: number) => void): void {
    const { count, starts, ends, bits } = this;
    if (count === 1) {
      keep(starts[0] as number, ends[0] as number, bits[0] as number);
      return;
    }
    if (count <= FEW) {
      this.#settleFew(keep);
      return;
    }
    const order = Array.from({ length: count }, (_, index) => index).sort((a, b) => this.#compare(a, b));
    const kept = this.#withoutOverlaps(order);
    kept.sort((a, b) => (starts[a] as number) - (starts[b] as number));
    for (const index of kept) keep(starts[index] as number, ends[index] as number, bits[index] as number);
  }

  /** The same without a new object: most values hold one thing that two or three records find. */
  #settleFew(keep: (start: number, end: number, bit: number) => void): void {
    const { count, starts, ends, bits } = this;
    /** One bit a candidate. */
    let open = (1 << count) - 1;
    let kept = 0;
    while (open !== 0) {
      let best = -1;
      for (let index = 0; index < count; index++)
        if ((open & (1 << index)) !== 0 && (best === -1 || this.#compare(index, best) < 0)) best = index;
      kept |= 1 << best;
      for (let index = 0; index < count; index++)
        if (
          (starts[index] as number) < (ends[best] as number) &&
          (ends[index] as number) > (starts[best] as number)
        )
          open &= ~(1 << index);
    }
    while (kept !== 0) {
      let first = -1;
      for (let index = 0; index < count; index++)
        if (
          (kept & (1 << index)) !== 0 &&
          (first === -1 || (starts[index] as number) < (starts[first] as number))
        )
          first = index;
      kept &= ~(1 << first);
      keep(starts[first] as number, ends[first] as number, bits[first] as number);
    }
  }

  #compare(a: number, b: number): number {
    const byScore = (this.scores[b] as number) - (this.scores[a] as number);
    if (byScore !== 0) return byScore;
    const start = (this.starts[a] as number) - (this.starts[b] as number);
    return (this.ends[b] as number) - (this.ends[a] as number) + start || start;
  }

  /** Marks what is taken character by character: linear, for a match is short. */
  #withoutOverlaps(order: readonly number[]): number[] {
    const { starts, ends } = this;
    let from = Number.POSITIVE_INFINITY;
    let to = 0;
    for (const index of order) {
      from = Math.min(from, starts[index] as number);
      to = Math.max(to, ends[index] as number);
    }
    const taken = new Uint8Array(to - from);
    return order.filter((index) => {
      const start = (starts[index] as number) - from;
      const end = (ends[index] as number) - from;
      // Kept matches do not overlap, so one that reaches into this one covers its first, its last or all between.
      for (let at = start; at < end; at++) if (taken[at] !== 0) return false;
      taken.fill(1, start, end);
      return true;
    });
  }
}

/** The least score that is reported. */
const REPORTED = 50;

const FEW = 12;
