import { Mutex } from '../core/mutex.js';
import type { ContainedDir } from '../fs/contained-dir.js';
import type { Mechanism } from '../fs/folder.js';
import { ABANDONED_AFTER_MS } from '../fs/instance-name.js';
import type { Listing } from '../fs/listing.js';
import { RelativePath } from '../fs/relative-path.js';
import { SharedDir } from '../fs/shared-dir.js';
import { Quota } from './quota.js';
import { Snapshots } from './snapshots.js';

export interface WorkspaceLimits {
  /** Bytes that all files together may hold (`st_size`). */
  readonly limitBytes: number;
  /** Number of files; the number of folders is limited to the same value on its own. */
  readonly limitFiles: number;
}

/** A count of the tree is trusted this long, in milliseconds, and 20 times as long as it took. */
const COUNT_AGE_MS = 1_000;
const COUNT_COST_FACTOR = 20;

/** What the views of one workspace share. Changes and listings run one at a time under `lock`. */
export class WorkspaceState {
  readonly lock = new Mutex();
  readonly quota: Quota;
  readonly snapshots = new Snapshots();
  readonly dir: SharedDir;
  #listing: { value: Listing; startedAt: number; tookMs: number } | undefined;
  #unchanged = false;
  #cleanedAt = Number.NEGATIVE_INFINITY;

  constructor(
    hostPath: string,
    readonly limits: WorkspaceLimits,
    mechanism: Mechanism | undefined,
  ) {
    this.dir = new SharedDir(hostPath, mechanism);
    this.quota = new Quota(limits.limitBytes, limits.limitFiles);
  }

  /**
   * The whole tree, and the count of the quota with it. Under the lock. A listing that began after `notBefore`
   * (`performance.now()`) is as good as a new one, so callers who queue for the lock share one.
   */
  async list(dir: ContainedDir, notBefore: number): Promise<Listing> {
    if (this.#listing && this.#unchanged && this.#listing.startedAt >= notBefore) return this.#listing.value;
    await this.#clean(dir);
    const startedAt = performance.now();
    const value = await dir.list(RelativePath.root, this.maxEntries);
    this.#listing = { value, startedAt, tookMs: performance.now() - startedAt };
    this.#unchanged = true;
    const amount = { bytes: 0, files: 0, folders: 0 };
    for (const { kind, size } of value.entries) {
      amount.bytes += size;
      amount[kind === 'file' ? 'files' : 'folders'] += 1;
    }
    this.quota.setBase(amount);
    return value;
  }

  /** Counts the tree again if the last count is old: others, or the user by hand, may have changed it. Under the lock. */
  async freshenCount(dir: ContainedDir): Promise<void> {
    const last = this.#listing;
    const trusted = last && Math.max(COUNT_AGE_MS, last.tookMs * COUNT_COST_FACTOR);
    if (!last || !trusted || performance.now() - last.startedAt > trusted)
      await this.list(dir, Number.POSITIVE_INFINITY);
  }

  /** To be called before this server changes the tree: listings taken before are not shared any more. */
  willChange(): void {
    this.#unchanged = false;
  }

  /** Names looked at in one listing. Far above the quota: a user may have put files there by hand. */
  get maxEntries(): number {
    return this.limits.limitFiles * 4 + 1_000;
  }

  async #clean(dir: ContainedDir): Promise<void> {
    if (performance.now() - this.#cleanedAt < ABANDONED_AFTER_MS) return;
    this.#cleanedAt = performance.now();
    await dir.removeAbandoned();
  }
}
