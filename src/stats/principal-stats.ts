import { Stats } from './stats.js';

/** The counters of each principal, made when first asked for: nobody reads how busy another is. In memory. */
export class PrincipalStats {
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #byPrincipal = new Map<string, Stats>();

  /** @param now milliseconds; a parameter for tests. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#startedAt = now();
  }

  /** Always the same object for a principal; its uptime is that of the process. */
  of(principal: string): Stats {
    const known = this.#byPrincipal.get(principal);
    if (known) return known;
    const stats = new Stats(this.#now, this.#startedAt);
    this.#byPrincipal.set(principal, stats);
    return stats;
  }
}
