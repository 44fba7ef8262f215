import { availableParallelism, freemem } from 'node:os';
import { CodeExecutionError, cancelledByClient } from '../core/errors.js';
import type { PoolInfo, Worker } from './sandbox.js';

export interface PoolOptions {
  /**
   * Starts one worker and resolves when it is ready and has run `1+1`. `wanted`: somebody waits for it, so it should do
   * nothing that only makes a later run faster.
   */
  readonly start: (wanted: boolean) => Promise<Worker>;
  /** Spares to hold ready. */
  readonly size: number;
  /** Resident bytes of a spare; none is started ahead when less than four times this is free. */
  readonly spareBytes: number;
}

/** A refill waits until nobody runs code, but no longer than this: spares are for the next call, not for this one. */
const REFILL_DELAY_MS = 1_000;
const RETRY_MS = 5_000;

interface Waiter {
  readonly resolve: (worker: Worker) => void;
  readonly reject: (error: unknown) => void;
}

/** Workers started ahead. Each is given out once and never comes back. */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #parallelStarts = Math.max(1, Math.min(4, availableParallelism()));
  readonly #ready: Worker[] = [];
  readonly #waiting: Waiter[] = [];
  readonly #active = new Set<Worker>();
  #starting = 0;
  #refill: NodeJS.Timeout | undefined;
  #warm = false;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  info(): PoolInfo {
    const { size } = this.#options;
    return { ready: this.#ready.length, starting: this.#starting, active: this.#active.size, target: size };
  }

  warm(): void {
    this.#warm = true;
    this.#fill();
  }

  /** @throws CodeExecutionError `backend_unavailable`, `cancelled` when the signal came first. */
  async acquire(signal?: AbortSignal): Promise<Worker> {
    if (this.#closed) throw new CodeExecutionError('backend_unavailable', 'the server is shutting down');
    if (signal?.aborted) throw cancelledByClient();
    const worker = this.#ready.shift() ?? (await this.#wait(signal));
    this.#active.add(worker);
    void worker.exited.then(() => {
      this.#active.delete(worker);
      this.#scheduleRefill();
    });
    this.#scheduleRefill();
    return worker;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#refill);
    const gone = new CodeExecutionError('backend_unavailable', 'the server is shutting down');
    for (const waiter of this.#waiting.splice(0)) waiter.reject(gone);
    await Promise.all([...this.#ready.splice(0), ...this.#active].map((worker) => worker.kill()));
  }

  #wait(signal?: AbortSignal): Promise<Worker> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { resolve, reject };
      this.#waiting.push(waiter);
      signal?.addEventListener(
        'abort',
        () => {
          const index = this.#waiting.indexOf(waiter);
          if (index >= 0) this.#waiting.splice(index, 1);
          reject(cancelledByClient());
        },
        { once: true },
      );
      this.#startFor(this.#waiting.length);
    });
  }

  /** Starts until `wanted` workers are on the way, as far as the cores allow. */
  #startFor(wanted: number): void {
    while (!this.#closed && this.#starting < Math.min(wanted, this.#parallelStarts)) void this.#startOne();
  }

  async #startOne(): Promise<void> {
    this.#starting++;
    try {
      const worker = await this.#options.start(this.#waiting.length > 0);
      if (this.#closed) return void worker.kill();
      const waiter = this.#waiting.shift();
      if (waiter) waiter.resolve(worker);
      else this.#keep(worker);
    } catch (error) {
      // Whoever waits gets the reason; a failed refill is tried again later.
      if (this.#waiting.length > 0) this.#waiting.shift()?.reject(error);
      else this.#scheduleRefill(RETRY_MS);
    } finally {
      this.#starting--;
      this.#startFor(this.#waiting.length);
      if (this.#waiting.length === 0) this.#scheduleRefill();
    }
  }

  #keep(worker: Worker): void {
    this.#ready.push(worker);
    void worker.exited.then(() => {
      const index = this.#ready.indexOf(worker);
      if (index < 0) return;
      this.#ready.splice(index, 1);
      this.#scheduleRefill(RETRY_MS);
    });
  }

  #scheduleRefill(delay?: number): void {
    if (!this.#warm || this.#closed) return;
    const idle = this.#active.size === 0;
    clearTimeout(this.#refill);
    this.#refill = setTimeout(() => this.#fill(), delay ?? (idle ? 0 : REFILL_DELAY_MS));
    this.#refill.unref();
  }

  #fill(): void {
    const missing = this.#options.size - this.#ready.length - this.#starting;
    if (missing <= 0 || this.#starting > 0 || freemem() < 4 * this.#options.spareBytes) return;
    this.#startFor(1);
  }
}
