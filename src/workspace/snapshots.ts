import { CodeExecutionError } from '../core/errors.js';
import type { ContainedDir } from '../fs/contained-dir.js';
import type { RelativePath } from '../fs/relative-path.js';
import type { WorkspaceEntry } from './workspace.js';

/** What an open view may still read. */
export interface Holder {
  readonly opening: ReadonlyMap<string, WorkspaceEntry>;
}

interface Held {
  readonly name: Promise<string>;
  readonly holders: Set<Holder>;
}

/**
 * Old contents that open views list: before a file is replaced or removed by this server, it is kept in the private
 * folder until the last view that lists this version has ended. Bounded by the quota per open view.
 */
export class Snapshots {
  readonly #holders = new Set<Holder>();
  readonly #held = new Map<string, Held>();

  add(holder: Holder): void {
    this.#holders.add(holder);
  }

  /** Forgets a view and removes what only it needed. */
  async remove(holder: Holder, dir: ContainedDir): Promise<void> {
    this.#holders.delete(holder);
    for (const [key, held] of this.#held) {
      if (!held.holders.delete(holder) || held.holders.size > 0) continue;
      this.#held.delete(key);
      await dir.removePrivateFile(await held.name);
    }
  }

  /**
   * To be called, under the workspace's lock, before the file at `path` changes. With `move` the file is taken away if
   * anyone needs it. True when it was taken away.
   */
  async keep(
    dir: ContainedDir,
    path: RelativePath,
    version: string,
    how: 'move' | 'copyName',
  ): Promise<boolean> {
    const holders = [...this.#holders].filter(({ opening }) => opening.get(path.text)?.version === version);
    const key = keyOf(path.text, version);
    if (holders.length === 0 || this.#held.has(key)) return false;
    const name = dir.keep(path, how);
    // Set before the file moves: a reader that misses it at its path finds this and waits.
    this.#held.set(key, { name, holders: new Set(holders) });
    try {
      await name;
      return how === 'move';
    } catch (error) {
      this.#held.delete(key);
      if (error instanceof CodeExecutionError && error.code === 'not_found') return false;
      throw error;
    }
  }

  /** Name of the private file with this content, if it was kept. */
  find(path: string, version: string): Promise<string> | undefined {
    return this.#held.get(keyOf(path, version))?.name;
  }
}

function keyOf(path: string, version: string): string {
  return `${version}/${path}`;
}
