import { residentBytes } from './resident-memory.js';

/** A process under watch. */
export interface Watched {
  readonly pid: number;
  /** What counts, in bytes; absent: resident memory of the process and its descendants. */
  readonly measure?: () => Promise<number | undefined>;
  limitBytes: number;
  /** Called once, when what counts is over the limit. */
  readonly onExceeded: (bytes: number) => void;
}

/** Between two looks a process that allocates at 1 GB/s gains 50 MB. */
const POLL_MS = 50;

/** Looks at the resident memory of the workers that run code; idle ones cannot grow and are not watched. */
export class Watchdog {
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;

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
    for (const process of [...this.#watched]) {
      const bytes = await (process.measure ? process.measure() : residentBytes(process.pid));
      if (bytes !== undefined && bytes > process.limitBytes && this.#watched.delete(process))
        process.onExceeded(bytes);
    }
    this.#timer = undefined;
    this.#schedule();
  }
}
