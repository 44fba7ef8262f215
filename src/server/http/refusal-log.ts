import type { ServerLog } from '../server-deps.js';

/** One line for each status in so many milliseconds: whoever knocks all day must not fill the disk. */
const INTERVAL_MS = 60_000;

/** Tells the operator of requests that were not let in, and never what they brought. */
export class RefusalLog {
  readonly #log: ServerLog;
  readonly #now: () => number;
  readonly #silent = new Map<number, { until: number; count: number }>();

  constructor(log: ServerLog, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  note(status: number, reason: string): void {
    const now = this.#now();
    const silent = this.#silent.get(status);
    if (silent && now < silent.until) {
      silent.count += 1;
      return;
    }
    const more = silent?.count ?? 0;
    this.#silent.set(status, { until: now + INTERVAL_MS, count: 0 });
    this.#log.warn(
      { status, ...(more > 0 ? { unreported: more } : {}) },
      `an HTTP request was refused: ${reason}`,
    );
  }
}
