import { availableParallelism } from 'node:os';

/** A server that has not answered after this long waits for something else than the processor, in milliseconds. */
const HOLD_MS = 1_500;

/**
 * Spreads the starts of servers: 70 processes started at once on two processors would all miss their deadline. A slot is
 * free again when its server has answered, or after a while, so that a server that hangs holds up nobody.
 */
export class StartSlots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(slots = Math.max(4, 2 * availableParallelism())) {
    this.#free = slots;
  }

  /** Waits for a slot and calls `start`. */
  async run<T>(start: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let held = true;
    const release = () => {
      if (!held) return;
      held = false;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    };
    const timer = setTimeout(release, HOLD_MS);
    timer.unref();
    try {
      return await start();
    } finally {
      clearTimeout(timer);
      release();
    }
  }
}
