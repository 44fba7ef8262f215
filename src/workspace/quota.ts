import { CodeExecutionError } from '../core/errors.js';
import { MIB } from '../core/limits.js';

/** What a tree holds, or by how much it would change. */
export interface Amount {
  readonly bytes: number;
  readonly files: number;
  readonly folders: number;
}

export const NOTHING: Amount = { bytes: 0, files: 0, folders: 0 };

/**
 * Counts one workspace against its limits: the tree on disk, and what open views have staged to add to it. Everything
 * here is synchronous, so two writers cannot both take the last byte. Folders have a limit of their own, as many as
 * files: each takes an inode, and empty ones would be free otherwise.
 */
export class Quota {
  #base = NOTHING;
  readonly #reserved = new Map<object, Amount>();
  readonly #limits: Amount;

  constructor(limitBytes: number, limitFiles: number) {
    this.#limits = { bytes: limitBytes, files: limitFiles, folders: limitFiles };
  }

  /** The tree on disk, as last counted or adjusted. */
  get base(): Amount {
    return this.#base;
  }

  setBase(amount: Amount): void {
    this.#base = amount;
  }

  /** The tree changed by `delta`, by our own doing. */
  adjustBase(delta: Amount): void {
    this.#base = sum(this.#base, delta);
  }

  /**
   * Records what `holder` will add to the tree in all (negative: frees), in place of what it reserved before.
   * @throws CodeExecutionError `disk_limit` when it grows beyond a limit; the former reservation stays then.
   */
  reserve(holder: object, growth: Amount): void {
    const former = this.#reserved.get(holder) ?? NOTHING;
    for (const key of KEYS) {
      // What a view frees counts only once it is freed, for others; less than before is always taken.
      if (growth[key] > former[key]) this.#check(key, growth[key], holder);
    }
    this.#reserved.set(holder, growth);
  }

  /** Like `reserve` where staged content is given up: never refused, for the commit checks again. */
  settle(holder: object, growth: Amount): void {
    this.#reserved.set(holder, growth);
  }

  release(holder: object): void {
    this.#reserved.delete(holder);
  }

  /** @throws CodeExecutionError `disk_limit` when the tree may not change by `delta`; `holder`'s reservation is ignored. */
  check(delta: Amount, holder?: object): void {
    for (const key of KEYS) this.#check(key, delta[key], holder);
  }

  #check(key: keyof Amount, growth: number, holder: object | undefined): void {
    if (growth <= 0) return;
    let total = this.#base[key] + growth;
    for (const [other, amount] of this.#reserved) if (other !== holder) total += Math.max(0, amount[key]);
    if (total > this.#limits[key]) throw full(key, this.#limits[key]);
  }
}

const KEYS = ['bytes', 'files', 'folders'] as const;

function sum(a: Amount, b: Amount): Amount {
  return { bytes: a.bytes + b.bytes, files: a.files + b.files, folders: a.folders + b.folders };
}

function full(key: keyof Amount, limit: number): CodeExecutionError {
  const what = key === 'bytes' ? `${Number((limit / MIB).toFixed(2))} MiB` : `${limit} ${key}`;
  return new CodeExecutionError(
    'disk_limit',
    `The workspace is full: it may hold ${what}.`,
    'Delete files that are no longer needed, or write less.',
  );
}
