import { residentBytes } from './resident-memory.js';

/** A process under watch. */
export interface Watched {
  readonly pid: number;
  /** What counts, in bytes; absent: resident memory of the process and its descendants. */
  readonly measure?: () => Promise<number | undefined>;
  limitBytes: number;
  /** Nothing is to run in it: it is looked at once a second, so that a hundred idle sessions cost nothing. */
  isResting: boolean;
  /** Called once, when what counts is over the limit. */
  readonly onExceeded: (bytes: number) => void;
}

/** Between two looks a process that allocates at 1 GB/s gains 50 MB. */
const POLL_MS = 50;
/** Of the looks, every so many is at those that rest, too. */
const RESTING_EVERY = 20;

/** Looks at the resident memory of the workers that have run code; spares cannot grow and are not watched. */
export class Watchdog {
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;
  #looks = 0;

  watch(process: Watched): () => void {
    this.#watched.add(process);
    this.#schedule();
    return () => this.#watched.delete(process);
  }

  #schedule(): void {
    if (this.#timer || this.#watched.size === 0) return;
    this.#timer = setTimeout(() => void this.#look(), POLL_MS);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const all = this.#looks++ % RESTING_EVERY === 0;
    for (const process of [...this.#watched]) {
      if (process.isResting && !all) continue;
      const bytes = await (process.measure ? process.measure() : residentBytes(process.pid));
      if (bytes !== undefined && bytes > process.limitBytes && this.#watched.delete(process))
        process.onExceeded(bytes);
    }
    this.#timer = undefined;
    this.#schedule();
  }
}
