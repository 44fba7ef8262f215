import { constants, promises as fs } from 'node:fs';
import { CodeExecutionError } from '../core/errors.js';
import { Disk } from './disk.js';
import { type Entry, entryOf } from './entry.js';
import { defaultMechanism, type Folder, type Mechanism, openRoot } from './folder.js';
import { type Listing, listBelow, listIn } from './listing.js';
import { openOrMakeFolder } from './make-folder.js';
import { PrivateFolder } from './private-folder.js';
import { irregular, type ReadRange, readRegular } from './read-regular.js';
import { quotePath, RelativePath } from './relative-path.js';
import { removeTree } from './remove-tree.js';
import { errnoOf, fileError, PLAIN_HINT } from './system-error.js';

/**
 * A folder of the host and all below it: the only path boundary of the product. Paths are {@link RelativePath}s and
 * are followed component by component (see {@link Mechanism}); links are never followed, devices and pipes never
 * opened, and no containment is decided by comparing path text.
 *
 * Holds one file handle until `close`. Methods throw `CodeExecutionError`: `not_found`, `exists`, `path_denied`,
 * `bad_name`, `too_large`, `disk_limit` (disk full), `internal`; messages hold no host path.
 */
export class ContainedDir implements AsyncDisposable {
  readonly #root: Folder;
  readonly #private: PrivateFolder;

  private constructor(root: Folder) {
    this.#root = root;
    this.#private = new PrivateFolder(root);
  }

  /** Opens the folder at a path of the host, making it and its parents (mode 0700) if need be, unless `make` is false. */
  static async open(
    hostPath: string,
    options: { mechanism?: Mechanism; disk?: Disk; make?: boolean } = {},
  ): Promise<ContainedDir> {
    const mechanism = options.mechanism ?? defaultMechanism();
    const open = options.make === false ? openRoot : openOrMakeRoot;
    try {
      return new ContainedDir(await open(hostPath, mechanism, options.disk ?? new Disk()));
    } catch (error) {
      throw fileError(error, '');
    }
  }

  /** Everything below a folder; the entry alone for a file. `maxEntries` bounds time and memory. */
  async list(path: RelativePath, maxEntries: number): Promise<Listing> {
    if (path.parts.length === 0) return this.#guard(path, () => listBelow(this.#root, [], maxEntries));
    return this.#inParent(path, false, async (folder, name) => {
      const entry = await lookAt(folder, name, path);
      if (entry.kind === 'file') return { entries: [entry], skipped: [] };
      const below = await folder.openFolder(name);
      try {
        return await listBelow(below, path.parts, maxEntries);
      } finally {
        await below.close();
      }
    });
  }

  /** What lies directly in a folder. */
  async listFolder(path: RelativePath, maxEntries: number): Promise<Listing> {
    return this.#inFolder(path, (folder) => listIn(folder, path.parts, maxEntries));
  }

  /** The names of what lies directly in a folder, whatever it is. */
  async names(path: RelativePath): Promise<string[]> {
    return this.#inFolder(path, (folder) => folder.disk.readdir(folder.self));
  }

  async stat(path: RelativePath): Promise<Entry> {
    if (path.parts.length === 0) {
      return {
        path: '.',
        kind: 'directory',
        size: 0,
        mtimeMs: (await fs.stat(this.#root.self)).mtimeMs,
        version: '',
      };
    }
    return this.#inParent(path, false, (folder, name) => lookAt(folder, name, path));
  }

  /** Like `stat`; undefined when nothing is there. */
  async statIfThere(path: RelativePath): Promise<Entry | undefined> {
    try {
      return await this.stat(path);
    } catch (error) {
      if (error instanceof CodeExecutionError && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  /** The bytes and the entry they belong to, taken from the same handle. */
  async read(path: RelativePath, range: ReadRange): Promise<{ bytes: Uint8Array; entry: Entry }> {
    return this.#inParent(path, false, (folder, name) => readRegular(folder, name, path.text, range));
  }

  /** Makes a folder (mode 0700) and those above it; nothing happens if it is there. */
  async makeFolder(path: RelativePath): Promise<void> {
    await this.#inParent(path, true, async (folder, name) => (await openOrMakeFolder(folder, name)).close());
  }

  /** Removes a file. A link is removed itself. */
  async removeFile(path: RelativePath): Promise<void> {
    await this.#inParent(path, false, async (folder, name) => {
      await folder.verify();
      await folder.disk.unlink(folder.at(name));
    });
  }

  /** Removes a folder if nothing is in it; false if there is, or if it is no folder. */
  async removeFolderIfEmpty(path: RelativePath): Promise<boolean> {
    return this.#inParent(path, false, async (folder, name) => {
      await folder.verify();
      try {
        await folder.disk.rmdir(folder.at(name));
        return true;
      } catch (error) {
        if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'ENOENT'].includes(errnoOf(error))) return false;
        throw error;
      }
    });
  }

  /** Removes whatever is there with all below it, of any depth and number; see {@link removeTree}. */
  async removeTree(path: RelativePath): Promise<void> {
    await this.#inParent(path, false, async (folder, name) =>
      removeTree(folder, name, await this.#private.open(), () => this.#private.freshName()),
    );
  }

  /** Renames a file or folder; replaces a file that is there. */
  async rename(from: RelativePath, to: RelativePath): Promise<void> {
    await this.#inParent(from, false, (folder, name) =>
      this.#inParent(to, true, async (target, targetName) => {
        await Promise.all([folder.verify(), target.verify()]);
        await folder.disk.rename(folder.at(name), target.at(targetName));
      }),
    );
  }

  /** A name for a private file: one that nobody sees until {@link ContainedDir.place}. */
  newPrivateName(): string {
    return this.#private.freshName();
  }

  /** Writes at `offset` of a private file; 0 makes it. Its entry (with the name as path) stays true when it is placed. */
  async writePrivateFile(name: string, offset: number, bytes: Uint8Array): Promise<Entry> {
    return this.#guard(RelativePath.root, () => this.#private.write(name, offset, bytes));
  }

  async readPrivateFile(name: string, maxBytes: number): Promise<Uint8Array> {
    return this.#guard(RelativePath.root, () => this.#private.read(name, maxBytes));
  }

  async removePrivateFile(name: string): Promise<void> {
    await this.#guard(RelativePath.root, () => this.#private.remove(name));
  }

  /**
   * Moves a private file to `path` in one step, making missing folders. A file or link that is there is replaced
   * (the link itself); with `exclusive` the call fails with `exists` instead, also in a race.
   */
  async place(name: string, path: RelativePath, options: { exclusive: boolean }): Promise<void> {
    const own = await this.#guard(path, () => this.#private.open());
    await this.#inParent(path, true, async (folder, target) => {
      await folder.verify();
      if (options.exclusive) await claim(own.at(name), folder, target);
      else await own.disk.rename(own.at(name), folder.at(target));
    });
    if (options.exclusive) await this.removePrivateFile(name);
  }

  /**
   * Makes a folder with these files at `path` in one step: it is there with all of them, or not at all. False when
   * something has the name, also in a race of several servers: so names can be claimed without a lock.
   */
  async placeFolder(files: ReadonlyMap<string, Uint8Array>, path: RelativePath): Promise<boolean> {
    const name = this.#private.freshName();
    const own = await this.#guard(path, async () => {
      await this.#private.writeFolder(name, files);
      return this.#private.open();
    });
    try {
      await this.#inParent(path, true, async (folder, target) => {
        await folder.verify();
        await folder.disk.rename(own.at(name), folder.at(target));
      });
      return true;
    } catch (error) {
      await this.#private.removeTree(name);
      // A folder that is not empty refuses to be replaced; on Windows any folder does, with EPERM.
      if ((await this.statIfThere(path)) !== undefined) return false;
      throw error;
    }
  }

  /**
   * Keeps the content at `path` as a private file and returns its name. `move` takes it away. `copyName` leaves it in
   * place until the next `place`: by a second name for the same inode, so nothing is copied and the path never lacks
   * a file; on a disk without hard links the file is moved instead.
   */
  async keep(path: RelativePath, how: 'move' | 'copyName'): Promise<string> {
    const name = this.#private.freshName();
    const own = await this.#guard(path, () => this.#private.open());
    await this.#inParent(path, false, async (folder, source) => {
      await folder.verify();
      if (how === 'copyName' && (await linked(folder.disk, folder.at(source), own.at(name)))) return;
      await folder.disk.rename(folder.at(source), own.at(name));
    });
    return name;
  }

  /** Removes what servers that died have left behind in the private folder. */
  async removeAbandoned(): Promise<void> {
    await this.#guard(RelativePath.root, () => this.#private.removeAbandoned());
  }

  /** Removes the private files and closes the root. The object is not used afterwards. */
  async close(): Promise<void> {
    try {
      await this.#guard(RelativePath.root, () => this.#private.close());
    } finally {
      await this.#root.close();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Calls `use` with the open folder that holds `path`; closes what was opened on the way. */
  async #inParent<T>(
    path: RelativePath,
    make: boolean,
    use: (folder: Folder, name: string) => Promise<T>,
  ): Promise<T> {
    return this.#guard(path, async () => {
      if (path.parts.length === 0) throw irregular('.', 'is the workspace itself');
      let folder = this.#root;
      try {
        for (const part of path.parent.parts) {
          const next = await step(folder, part, make);
          if (folder !== this.#root) await folder.close();
          folder = next;
        }
        return await use(folder, path.name);
      } finally {
        if (folder !== this.#root) await folder.close();
      }
    });
  }

  async #inFolder<T>(path: RelativePath, use: (folder: Folder) => Promise<T>): Promise<T> {
    if (path.parts.length === 0) return this.#guard(path, () => use(this.#root));
    return this.#inParent(path, false, async (parent, name) => {
      const folder = await step(parent, name, false);
      try {
        return await use(folder);
      } finally {
        await folder.close();
      }
    });
  }

  async #guard<T>(path: RelativePath, use: () => Promise<T>): Promise<T> {
    try {
      return await use();
    } catch (error) {
      throw fileError(error, path.text);
    }
  }
}

async function openOrMakeRoot(hostPath: string, mechanism: Mechanism, disk: Disk): Promise<Folder> {
  try {
    return await openRoot(hostPath, mechanism, disk);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
  await fs.mkdir(hostPath, { recursive: true, mode: 0o700 });
  return openRoot(hostPath, mechanism, disk);
}

async function step(folder: Folder, part: string, make: boolean): Promise<Folder> {
  try {
    return make ? await openOrMakeFolder(folder, part) : await folder.openFolder(part);
  } catch (error) {
    if (!['ENOTDIR', 'ELOOP'].includes(errnoOf(error))) throw error;
    throw new CodeExecutionError(
      'path_denied',
      `${quotePath(part)} is a file or link, not a folder.`,
      PLAIN_HINT,
    );
  }
}

async function lookAt(folder: Folder, name: string, path: RelativePath): Promise<Entry> {
  const entry = entryOf(path.text, await folder.disk.lstat(folder.at(name)));
  if (entry === undefined) throw irregular(path.text, 'is no regular file');
  return entry;
}

/** Gives a file a name that nothing may have yet. */
async function claim(source: string, folder: Folder, name: string): Promise<void> {
  if (await linked(folder.disk, source, folder.at(name))) return;
  // A disk without hard links: an empty file holds the name, for a moment visible, until the content replaces it.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  await folder.disk.close(await folder.openFile(name, flags, 0o600));
  await folder.disk.rename(source, folder.at(name));
}

/** Adds a hard link; false where the disk or the system's policy has none. */
async function linked(disk: Disk, from: string, to: string): Promise<boolean> {
  try {
    await disk.link(from, to);
    return true;
  } catch (error) {
    if (['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'UNKNOWN'].includes(errnoOf(error)))
      return false;
    throw error;
  }
}
