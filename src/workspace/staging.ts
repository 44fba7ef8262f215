import { CodeExecutionError } from '../core/errors.js';
import type { ContainedDir } from '../fs/contained-dir.js';
import { quotePath } from '../fs/relative-path.js';
import type { OffLimits } from './off-limits.js';
import { ancestors, atOrBelow } from './path-range.js';
import { NOTHING, type Quota } from './quota.js';
import type { WorkspaceEntry } from './workspace.js';

export interface StagedFile {
  /** Name of the private file with the content. */
  readonly name: string;
  readonly size: number;
  readonly complete: boolean;
}

/**
 * The changes of one run before its commit. Contents lie in private files; what they will add to the workspace is
 * reserved with every part, so a run is stopped at the byte that would pass the quota. Calls must not overlap.
 */
export class Staging {
  readonly files = new Map<string, StagedFile>();
  /** New folders, also those that staged files imply. */
  readonly folders = new Set<string>();
  /** Files and folders of the opening that the run removed. */
  readonly removals = new Set<string>();
  /** What a commit would add to the tree, kept up to date: counting anew per part would cost the square of the files. */
  readonly #growth = { ...NOTHING };
  /** Files of the opening that are removed or replaced, and folders that are removed: their room counts as free. */
  readonly #freed = new Map<string, WorkspaceEntry>();

  constructor(
    private readonly dir: ContainedDir,
    private readonly quota: Quota,
    private readonly entries: readonly WorkspaceEntry[],
    private readonly opening: ReadonlyMap<string, WorkspaceEntry>,
    private readonly offLimits: OffLimits,
  ) {}

  async addPart(path: string, part: { offset: number; bytes: Uint8Array; last: boolean }): Promise<void> {
    if (part.offset === 0) await this.#begin(path);
    const file = this.files.get(path);
    if (file === undefined || file.complete || file.size !== part.offset) throw outOfOrder(path, part.offset);
    const size = part.offset + part.bytes.length;
    this.#setFile(path, { ...file, size, complete: part.last });
    try {
      this.#reserve();
      await this.dir.writePrivateFile(file.name, part.offset, part.bytes);
    } catch (error) {
      await this.#drop(path);
      throw error;
    }
  }

  addFolder(path: string): void {
    this.#checkPlace(path, 'directory');
    this.#addFolders([path, ...ancestors(path)]);
  }

  async remove(path: string): Promise<void> {
    for (const staged of [...this.files.keys()]) {
      if (isAtOrBelow(staged, path)) await this.#drop(staged);
    }
    for (const folder of [...this.folders]) if (isAtOrBelow(folder, path)) this.#removeFolder(folder);
    if (this.opening.has(path) && !this.#isRemoved(path)) {
      this.removals.add(path);
      for (const entry of atOrBelow(this.entries, path)) this.#free(entry);
    }
    this.quota.settle(this, { ...this.#growth });
  }

  /** Removes the private files that were not placed. */
  async clear(): Promise<void> {
    this.quota.release(this);
    for (const { name } of this.files.values()) await this.dir.removePrivateFile(name);
    this.files.clear();
  }

  async #begin(path: string): Promise<void> {
    this.#checkPlace(path, 'file');
    if (this.files.has(path)) await this.#drop(path);
    this.#addFolders(ancestors(path));
    const replaced = this.opening.get(path);
    if (replaced?.kind === 'file') this.#free(replaced);
    this.#setFile(path, { name: this.dir.newPrivateName(), size: 0, complete: false });
  }

  async #drop(path: string): Promise<void> {
    const file = this.files.get(path);
    if (file === undefined) return;
    this.files.delete(path);
    this.#growth.bytes -= file.size;
    this.#growth.files -= 1;
    if (!this.#isRemoved(path)) this.#unfree(path);
    this.quota.settle(this, { ...this.#growth });
    await this.dir.removePrivateFile(file.name);
  }

  #addFolders(paths: readonly string[]): void {
    const added = paths.filter((path) => !this.#isFolder(path));
    for (const path of added) this.folders.add(path);
    this.#growth.folders += added.length;
    try {
      this.#reserve();
    } catch (error) {
      for (const path of added) this.#removeFolder(path);
      throw error;
    }
  }

  #removeFolder(path: string): void {
    if (this.folders.delete(path)) this.#growth.folders -= 1;
  }

  #setFile(path: string, file: StagedFile): void {
    const former = this.files.get(path);
    this.files.set(path, file);
    this.#growth.bytes += file.size - (former?.size ?? 0);
    this.#growth.files += former === undefined ? 1 : 0;
  }

  #free(entry: WorkspaceEntry): void {
    if (this.#freed.has(entry.path)) return;
    this.#freed.set(entry.path, entry);
    this.#growth.bytes -= entry.size;
    this.#growth[entry.kind === 'file' ? 'files' : 'folders'] -= 1;
  }

  #unfree(path: string): void {
    const entry = this.#freed.get(path);
    if (entry === undefined) return;
    this.#freed.delete(path);
    this.#growth.bytes += entry.size;
    this.#growth[entry.kind === 'file' ? 'files' : 'folders'] += 1;
  }

  /** Counts before it writes; a refused reservation leaves the former one. */
  #reserve(): void {
    this.quota.reserve(this, { ...this.#growth });
  }

  #checkPlace(path: string, kind: 'file' | 'directory'): void {
    this.offLimits.check(path, kind);
    const file = (kind === 'file' ? ancestors(path) : [path, ...ancestors(path)]).find((one) =>
      this.#isFile(one),
    );
    if (file !== undefined) throw inTheWay(file, 'file');
    if (kind === 'file' && this.#isFolder(path)) throw inTheWay(path, 'folder');
  }

  #isFile(path: string): boolean {
    return this.files.has(path) || (this.opening.get(path)?.kind === 'file' && !this.#isRemoved(path));
  }

  #isFolder(path: string): boolean {
    return this.folders.has(path) || (this.opening.get(path)?.kind === 'directory' && !this.#isRemoved(path));
  }

  #isRemoved(path: string): boolean {
    return [path, ...ancestors(path)].some((one) => this.removals.has(one));
  }
}

function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function outOfOrder(path: string, offset: number): CodeExecutionError {
  return new CodeExecutionError(
    'bad_arguments',
    `A part of ${quotePath(path)} at ${offset} is out of order.`,
  );
}

function inTheWay(path: string, kind: 'file' | 'folder'): CodeExecutionError {
  const text = `${quotePath(path)} is a ${kind}.`;
  return new CodeExecutionError('path_denied', text, 'Remove it first, or use another name.');
}
