/** Use is forgotten by half in this time, in milliseconds: who was heavy a minute ago is like anyone else. */
const HALF_LIFE_MS = 10_000;
/** Below this nothing is left worth keeping, in seconds. */
const FORGOTTEN = 0.001;
/** Above this many names those with nothing left are dropped. */
const TIDY_AT = 1_000;

interface Use {
  seconds: number;
  at: number;
}

/** How many seconds each name has used lately; older use counts less. */
export class RecentUse {
  readonly #uses = new Map<string, Use>();

  /** @param now milliseconds of a monotonic clock. */
  add(name: string, seconds: number, now: number): void {
    const use = { seconds: this.of(name, now) + seconds, at: now };
    this.#uses.set(name, use);
    if (this.#uses.size > TIDY_AT) this.#tidy(now);
  }

  /** How many names it knows. */
  get size(): number {
    return this.#uses.size;
  }

  of(name: string, now: number): number {
    const use = this.#uses.get(name);
    return use === undefined ? 0 : use.seconds * 0.5 ** ((now - use.at) / HALF_LIFE_MS);
  }

  #tidy(now: number): void {
    for (const name of this.#uses.keys()) if (this.of(name, now) < FORGOTTEN) this.#uses.delete(name);
  }
}
