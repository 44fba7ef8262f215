import { constants, fchmodSync, fstatSync, futimesSync } from 'node:fs';
import { type Entry, entryOf } from './entry.js';
import type { Folder } from './folder.js';
import { isAbandoned, newInstanceName } from './instance-name.js';
import { openOrMakeFolder } from './make-folder.js';
import { readRegular } from './read-regular.js';
import { PRIVATE_NAME } from './relative-path.js';
import { removeTree } from './remove-tree.js';
import { errnoOf } from './system-error.js';

/** Each failure needs another server to hit a gap of some 10 us. */
const MAKE_ATTEMPTS = 50;

/**
 * Files of this server on the disk of a contained directory: content being written, and old content that someone still
 * reads. They lie in `<root>/.code-execution/<host key>-<pid>-<random>/`, so that a rename moves them into place.
 * The folder appears with the first file and goes at `close`. Another live server on the same root has its own.
 */
export class PrivateFolder {
  #folder: Promise<Folder> | undefined;
  #count = 0;
  #lastStamp = 0;
  #instanceName: string | undefined;

  constructor(private readonly root: Folder) {}

  /** The open folder, made if need be. */
  open(): Promise<Folder> {
    this.#folder ??= this.#make().catch((error: unknown) => {
      this.#folder = undefined;
      throw error;
    });
    return this.#folder;
  }

  /** A name that nothing in the folder has. */
  freshName(): string {
    this.#count += 1;
    return `f${this.#count}`;
  }

  /**
   * Writes `bytes` at `offset`; 0 makes the file, which must not exist. The returned entry's `path` is the name.
   * Each write gets its own time of change: inode numbers are used again at once, and clocks of file systems tick in
   * milliseconds, so without it two different contents could have the same version.
   */
  async write(name: string, offset: number, bytes: Uint8Array): Promise<Entry> {
    const folder = await this.open();
    const flags = constants.O_WRONLY | (offset === 0 ? constants.O_CREAT | constants.O_EXCL : 0);
    const fd = await folder.openFile(name, flags, 0o600);
    try {
      if (offset === 0) fchmodSync(fd, 0o600); // whatever the umask
      await writeAll(folder, fd, offset, bytes);
      this.#lastStamp = Math.max(this.#lastStamp + 1, Date.now() * 1000);
      futimesSync(fd, (this.#lastStamp + 0.5) / 1e6, (this.#lastStamp + 0.5) / 1e6);
      const entry = entryOf(name, fstatSync(fd));
      if (entry === undefined) throw new Error('a private file is no file');
      return entry;
    } finally {
      await folder.disk.close(fd);
    }
  }

  /** Makes a folder of the given name with these files; both must not exist. */
  async writeFolder(name: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const own = await this.open();
    await own.disk.mkdir(own.at(name), 0o700);
    const folder = await own.openFolder(name);
    try {
      for (const [file, bytes] of files) {
        const fd = await folder.openFile(
          file,
          constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
          0o600,
        );
        try {
          await writeAll(folder, fd, 0, bytes);
        } finally {
          await folder.disk.close(fd);
        }
      }
    } finally {
      await folder.close();
    }
  }

  /** Removes whatever has the name with all below it. */
  async removeTree(name: string): Promise<void> {
    const own = await this.open();
    await removeTree(own, name, own, () => this.freshName());
  }

  /** @throws CodeExecutionError `too_large` when it is longer than `maxBytes`. */
  async read(name: string, maxBytes: number): Promise<Uint8Array> {
    return (await readRegular(await this.open(), name, name, { maxBytes })).bytes;
  }

  /** Removes one file; nothing happens if it is gone. */
  async remove(name: string): Promise<void> {
    if (this.#folder === undefined) return; // nothing was ever made
    try {
      const folder = await this.open();
      await folder.disk.unlink(folder.at(name));
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error;
    }
  }

  /** Removes what servers that are gone have left. Errors are not raised: the next start tries again. */
  async removeAbandoned(): Promise<void> {
    const parent = await this.root.openFolder(PRIVATE_NAME).catch(() => undefined);
    if (parent === undefined) return;
    try {
      for (const name of await parent.disk.readdir(parent.self)) {
        if (name === this.#instance() || !(await isLeftOver(parent, name))) continue;
        await removeTree(parent, name, parent, () => this.#trashName()).catch(() => undefined);
      }
    } finally {
      await parent.close();
    }
    await this.root.disk.rmdir(this.root.at(PRIVATE_NAME)).catch(() => undefined);
  }

  /**
   * Removes the folder with all that is left in it. What cannot be removed now (a virus scanner has it open) is left to
   * {@link PrivateFolder.removeAbandoned}; it must not turn a write that succeeded into an error.
   */
  async close(): Promise<void> {
    const folder = await this.#folder?.catch(() => undefined);
    this.#folder = undefined;
    if (folder === undefined) return;
    await folder.close();
    const parent = await this.root.openFolder(PRIVATE_NAME).catch(() => undefined);
    if (parent === undefined) return;
    await removeTree(parent, this.#instance(), parent, () => this.#trashName()).catch(() => undefined);
    await parent.close();
    // Fails while another server has its folder there.
    await this.root.disk.rmdir(this.root.at(PRIVATE_NAME)).catch(() => undefined);
  }

  #trashName(): string {
    return `${this.#instance()}-${this.freshName()}`;
  }

  /** Made when first needed, for most operations write nothing. */
  #instance(): string {
    this.#instanceName ??= newInstanceName();
    return this.#instanceName;
  }

  /** Another server may remove the shared parent, empty for a moment, between our steps: then from the start. */
  async #make(): Promise<Folder> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const parent = await openOrMakeFolder(this.root, PRIVATE_NAME);
        try {
          return await openOrMakeFolder(parent, this.#instance());
        } finally {
          await parent.close();
        }
      } catch (error) {
        if (errnoOf(error) !== 'ENOENT' || attempt === MAKE_ATTEMPTS) throw error;
      }
    }
  }
}

async function writeAll(folder: Folder, fd: number, offset: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += await folder.disk.write(fd, bytes, done, bytes.length - done, offset + done);
  }
}

async function isLeftOver(parent: Folder, name: string): Promise<boolean> {
  const stats = await parent.disk.lstat(parent.at(name)).catch(() => undefined);
  return stats !== undefined && isAbandoned(name, stats.mtimeMs);
}
