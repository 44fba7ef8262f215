import { CodeExecutionError } from '../core/errors.js';
import type { ContainedDir } from '../fs/contained-dir.js';
import type { Mechanism } from '../fs/folder.js';
import { quotePath, RelativePath } from '../fs/relative-path.js';
import { FolderView } from './folder-view.js';
import type { Workspace, WorkspaceEntry, WorkspaceUsage, WorkspaceView, WriteMode } from './workspace.js';
import { type WorkspaceLimits, WorkspaceState } from './workspace-state.js';

/** Bytes in memory while a file is copied for an append. */
const COPY_BYTES = 4 * 1024 * 1024;

/**
 * A workspace in a folder of the host. The folder is read anew for every listing and view, so files that its owner puts
 * there by hand appear. Another server may use the same folder: files are whole there too, but the two do not
 * protect each other's views, and each may miss what the other wrote in the last second when it counts the quota.
 */
export class FolderWorkspace implements Workspace {
  readonly #state: WorkspaceState;

  constructor(
    readonly hostPath: string,
    limits: WorkspaceLimits,
    mechanism?: Mechanism,
  ) {
    this.#state = new WorkspaceState(hostPath, limits, mechanism);
  }

  async list(subpath = '.'): Promise<WorkspaceEntry[]> {
    const path = RelativePath.parse(subpath, { folder: true });
    const since = performance.now();
    return this.#locked(async (dir) => {
      if (path.parts.length === 0) return [...(await this.#state.list(dir, since)).entries];
      return [...(await dir.list(path, this.#state.maxEntries)).entries];
    });
  }

  async stat(path: string): Promise<WorkspaceEntry> {
    const checked = RelativePath.parse(path, { folder: true });
    return this.#state.dir.use((dir) => dir.stat(checked));
  }

  async read(path: string, range: { offset?: number; length?: number } = {}): Promise<Uint8Array> {
    const checked = RelativePath.parse(path);
    for (const [name, value] of Object.entries(range)) {
      if (!Number.isSafeInteger(value) || value < 0) throw badRange(name);
    }
    const maxBytes = this.#state.limits.limitBytes;
    return this.#state.dir.use(async (dir) => (await dir.read(checked, { ...range, maxBytes })).bytes);
  }

  async write(path: string, content: Uint8Array, mode: WriteMode): Promise<WorkspaceEntry> {
    const checked = RelativePath.parse(path);
    return this.#locked((dir) => this.#write(dir, checked, content, mode));
  }

  async usage(): Promise<WorkspaceUsage> {
    const since = performance.now();
    await this.#locked((dir) => this.#state.list(dir, since));
    return this.#counted();
  }

  async recentUsage(): Promise<WorkspaceUsage> {
    await this.#locked((dir) => this.#state.freshenCount(dir));
    return this.#counted();
  }

  #counted(): WorkspaceUsage {
    const { bytes, files } = this.#state.quota.base;
    return { bytes, files, ...this.#state.limits };
  }

  async openView(): Promise<WorkspaceView> {
    const since = performance.now();
    const dir = await this.#state.dir.acquire();
    try {
      // The view is registered under the lock too: no change falls between its listing and its protection.
      return await this.#state.lock.run(async () => {
        return new FolderView(this.#state, dir, await this.#state.list(dir, since));
      });
    } catch (error) {
      await this.#state.dir.release();
      throw error;
    }
  }

  async #write(
    dir: ContainedDir,
    path: RelativePath,
    content: Uint8Array,
    mode: WriteMode,
  ): Promise<WorkspaceEntry> {
    const state = this.#state;
    await state.freshenCount(dir);
    const before = await dir.statIfThere(path);
    if (before?.kind === 'directory') throw isFolder(path);
    if (before && mode === 'create') throw exists(path);
    const size = content.length + (before && mode === 'append' ? before.size : 0);
    const delta = {
      bytes: size - (before?.size ?? 0),
      files: before ? 0 : 1,
      folders: before ? 0 : await missingFolders(dir, path),
    };
    state.quota.check(delta);
    const name = dir.newPrivateName();
    try {
      const copied = before && mode === 'append' ? await copyInto(dir, name, path, before) : 0;
      const entry = await dir.writePrivateFile(name, copied, content);
      state.willChange();
      if (before) await state.snapshots.keep(dir, path, before.version, 'copyName');
      await dir.place(name, path, { exclusive: mode === 'create' });
      state.quota.adjustBase(delta);
      return { ...entry, path: path.text };
    } catch (error) {
      await dir.removePrivateFile(name);
      throw error;
    }
  }

  #locked<T>(task: (dir: ContainedDir) => Promise<T>): Promise<T> {
    return this.#state.lock.run(() => this.#state.dir.use(task));
  }
}

/** Copies a file to a private one; returns the bytes copied. Readers of the file see nothing of an append until it is whole. */
async function copyInto(
  dir: ContainedDir,
  name: string,
  path: RelativePath,
  from: WorkspaceEntry,
): Promise<number> {
  let offset = 0;
  while (offset < from.size) {
    const range = { offset, length: COPY_BYTES, maxBytes: COPY_BYTES };
    const { bytes, entry } = await dir.read(path, range);
    if (entry.version !== from.version || bytes.length === 0) throw changedMeanwhile(path);
    await dir.writePrivateFile(name, offset, bytes);
    offset += bytes.length;
  }
  return offset;
}

async function missingFolders(dir: ContainedDir, path: RelativePath): Promise<number> {
  let missing = 0;
  for (let folder = path.parent; folder.parts.length > 0; folder = folder.parent) {
    if (await dir.statIfThere(folder)) break;
    missing += 1;
  }
  return missing;
}

function badRange(name: string): CodeExecutionError {
  return new CodeExecutionError('bad_arguments', `${name} must be a whole number of bytes, 0 or more.`);
}

function isFolder(path: RelativePath): CodeExecutionError {
  return new CodeExecutionError('path_denied', `${quotePath(path.text)} is a folder.`, 'Name a file in it.');
}

function exists(path: RelativePath): CodeExecutionError {
  const text = `${quotePath(path.text)} is already there.`;
  return new CodeExecutionError('exists', text, 'Use mode "overwrite" or "append", or another name.');
}

function changedMeanwhile(path: RelativePath): CodeExecutionError {
  return new CodeExecutionError(
    'busy',
    `${quotePath(path.text)} was changed while it was read.`,
    'Try again.',
  );
}
