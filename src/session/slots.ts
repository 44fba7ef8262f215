import { CodeExecutionError, cancelledByClient } from '../core/errors.js';

interface Waiting {
  readonly start: () => void;
  readonly fail: (error: unknown) => void;
}

/** Admission: at most `size` runs at a time, a bounded queue in order of arrival behind them. */
export class Slots {
  #free: number;
  readonly #queue: Waiting[] = [];

  constructor(
    size: number,
    private readonly maxWaiting: number,
  ) {
    this.#free = size;
  }

  /**
   * Waits for a slot; call the returned function to give it back.
   * @throws CodeExecutionError `busy` when too many wait already, `cancelled` when the signal came first.
   */
  async take(signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) throw cancelledByClient();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const next = this.#queue.shift();
      if (next) next.start();
      else this.#free++;
    };
  }

  #wait(signal?: AbortSignal): Promise<void> {
    if (this.#queue.length >= this.maxWaiting) {
      throw new CodeExecutionError(
        'busy',
        `${this.#queue.length} runs are waiting already`,
        'try again in a few seconds',
      );
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { start: resolve, fail: reject };
      this.#queue.push(waiting);
      signal?.addEventListener(
        'abort',
        () => {
          const index = this.#queue.indexOf(waiting);
          if (index < 0) return;
          this.#queue.splice(index, 1);
          reject(cancelledByClient());
        },
        { once: true },
      );
    });
  }
}
