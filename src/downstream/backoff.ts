const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/** When a server that failed may be tried again: at once after one failure, then after 1, 2, 4 ... 60 seconds. */
export class Backoff {
  readonly #now: () => number;
  #failures = 0;
  #notBefore = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  failed(): void {
    this.#failures += 1;
    const wait = this.#failures === 1 ? 0 : Math.min(LONGEST_MS, FIRST_MS * 2 ** (this.#failures - 2));
    this.#notBefore = this.#now() + wait;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#notBefore = 0;
  }

  /** Milliseconds until the next attempt. */
  get remainingMs(): number {
    return Math.max(0, this.#notBefore - this.#now());
  }
}
