import { CodeExecutionError } from '../core/errors.js';
import { Mutex } from '../core/mutex.js';
import type { FileChange } from '../core/outcome.js';
import type { ContainedDir } from '../fs/contained-dir.js';
import type { Listing } from '../fs/listing.js';
import { quotePath, RelativePath } from '../fs/relative-path.js';
import { planCommit } from './commit-plan.js';
import { OffLimits } from './off-limits.js';
import type { Holder } from './snapshots.js';
import { Staging } from './staging.js';
import type { WorkspaceEntry, WorkspaceView } from './workspace.js';
import type { WorkspaceState } from './workspace-state.js';

/**
 * A view of a workspace on disk. Contents are not copied at the opening: what this server replaces or removes
 * meanwhile is kept aside ({@link Snapshots}). A file that someone else changes (the user by hand, another server) reads
 * as it is then.
 */
export class FolderView implements WorkspaceView, Holder {
  readonly entries: readonly WorkspaceEntry[];
  readonly opening: ReadonlyMap<string, WorkspaceEntry>;
  readonly #staging: Staging;
  /** Parts are counted and written in the order of the calls. */
  readonly #order = new Mutex();
  #ended = false;

  /** `dir` was acquired for this view; it is released when the view ends. */
  constructor(
    private readonly state: WorkspaceState,
    private readonly dir: ContainedDir,
    listing: Listing,
  ) {
    this.entries = listing.entries;
    this.opening = new Map(listing.entries.map((entry) => [entry.path, entry]));
    const offLimits = new OffLimits(listing.skipped);
    this.#staging = new Staging(dir, state.quota, this.entries, this.opening, offLimits);
    state.snapshots.add(this);
  }

  async read(path: string): Promise<Uint8Array> {
    this.#checkOpen();
    const checked = RelativePath.parse(path);
    const entry = this.opening.get(checked.text);
    if (entry === undefined) throw notThere(checked);
    // With a use of its own: the handles stay open until the read is over, even if the view ends meanwhile.
    return this.state.dir.use((dir) => this.#readEntry(dir, checked, entry));
  }

  stage(path: string, part: { offset: number; bytes: Uint8Array; last: boolean }): Promise<void> {
    return this.#inOrder(() => this.#staging.addPart(RelativePath.parse(path).text, part));
  }

  stageFolder(path: string): Promise<void> {
    return this.#inOrder(async () => this.#staging.addFolder(folderPath(path).text));
  }

  stageRemoval(path: string): Promise<void> {
    return this.#inOrder(() => this.#staging.remove(folderPath(path).text));
  }

  commit(): Promise<FileChange[]> {
    return this.#inOrder(async () => {
      this.#ended = true;
      try {
        return await this.state.lock.run(() => this.#apply());
      } finally {
        await this.#end();
      }
    });
  }

  async discard(): Promise<void> {
    await this.#order.run(async () => {
      if (this.#ended) return;
      this.#ended = true;
      await this.#end();
    });
  }

  async #readEntry(dir: ContainedDir, path: RelativePath, entry: WorkspaceEntry): Promise<Uint8Array> {
    const maxBytes = this.state.limits.limitBytes;
    const kept = async () => {
      const name = await this.state.snapshots.find(entry.path, entry.version);
      return name === undefined ? undefined : dir.readPrivateFile(name, maxBytes);
    };
    const before = await kept();
    if (before !== undefined) return before;
    try {
      const { bytes, entry: found } = await dir.read(path, { maxBytes });
      // Replaced between the two looks: the old content was kept then, unless it was not this server.
      return found.version === entry.version ? bytes : ((await kept()) ?? bytes);
    } catch (error) {
      const after = await kept();
      if (after !== undefined) return after;
      throw error;
    }
  }

  async #apply(): Promise<FileChange[]> {
    const { dir, state } = this;
    const { files, folders, removals } = this.#staging;
    const finished = new Map(
      [...files].filter(([, file]) => file.complete).map(([path, file]) => [path, file.size]),
    );
    if (finished.size + folders.size + removals.size === 0) return [];
    const now = await state.list(dir, Number.POSITIVE_INFINITY);
    const plan = planCommit({ opening: this.opening, files: finished, folders, removals }, now);
    state.quota.check(plan.delta, this.#staging);

    state.willChange();
    await state.snapshots.remove(this, dir);
    for (const entry of plan.removeFiles) await this.#removeFile(entry);
    for (const path of plan.removeFolders) await dir.removeFolderIfEmpty(folderPath(path));
    for (const path of plan.makeFolders) await dir.makeFolder(folderPath(path));
    for (const path of finished.keys()) await this.#placeFile(path, plan.replaced.get(path));
    state.quota.release(this.#staging);
    state.quota.adjustBase(plan.delta);
    return [...plan.changes];
  }

  async #removeFile(entry: WorkspaceEntry): Promise<void> {
    const path = RelativePath.parse(entry.path);
    if (await this.state.snapshots.keep(this.dir, path, entry.version, 'move')) return;
    await this.dir.removeFile(path).catch((error: unknown) => {
      // Gone by another hand: what was wanted.
      if (!(error instanceof CodeExecutionError && error.code === 'not_found')) throw error;
    });
  }

  async #placeFile(text: string, replaced: WorkspaceEntry | undefined): Promise<void> {
    const file = this.#staging.files.get(text);
    if (file === undefined) return;
    const path = RelativePath.parse(text);
    if (replaced) await this.state.snapshots.keep(this.dir, path, replaced.version, 'copyName');
    await this.dir.place(file.name, path, { exclusive: false });
    this.#staging.files.delete(text);
  }

  async #end(): Promise<void> {
    try {
      await this.#staging.clear();
      await this.state.snapshots.remove(this, this.dir);
    } finally {
      await this.state.dir.release();
    }
  }

  #inOrder<T>(task: () => Promise<T>): Promise<T> {
    return this.#order.run(async () => {
      this.#checkOpen();
      return task();
    });
  }

  #checkOpen(): void {
    if (this.#ended) throw new CodeExecutionError('internal', 'The view of the workspace has ended.');
  }
}

function folderPath(text: string): RelativePath {
  const path = RelativePath.parse(text, { folder: true });
  if (path.parts.length > 0) return path;
  throw new CodeExecutionError(
    'path_denied',
    'The workspace itself cannot be made or removed.',
    'Name a folder in it.',
  );
}

function notThere(path: RelativePath): CodeExecutionError {
  const text = `${quotePath(path.text)} was not in the workspace when the run began.`;
  return new CodeExecutionError('not_found', text, 'List the workspace to see what is there.');
}
