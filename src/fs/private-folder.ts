import { createHash, randomBytes } from 'node:crypto';
import { constants, fchmodSync, fstatSync, futimesSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { type Entry, entryOf } from './entry.js';
import type { Folder } from './folder.js';
import { openOrMakeFolder } from './make-folder.js';
import { readRegular } from './read-regular.js';
import { PRIVATE_NAME } from './relative-path.js';
import { removeTree } from './remove-tree.js';
import { errnoOf } from './system-error.js';

/**
 * A private folder of another host, or with a process id that is in use again, counts as abandoned when nothing was
 * made or removed in it for this long, in milliseconds. Runs last 10 minutes at most.
 */
export const ABANDONED_AFTER_MS = 60 * 60 * 1000;

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
      for (let done = 0; done < bytes.length; ) {
        done += await folder.disk.write(fd, bytes, done, bytes.length - done, offset + done);
      }
      this.#lastStamp = Math.max(this.#lastStamp + 1, Date.now() * 1000);
      futimesSync(fd, (this.#lastStamp + 0.5) / 1e6, (this.#lastStamp + 0.5) / 1e6);
      const entry = entryOf(name, fstatSync(fd));
      if (entry === undefined) throw new Error('a private file is no file');
      return entry;
    } finally {
      await folder.disk.close(fd);
    }
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
        if (name === this.#instance() || !(await isAbandoned(parent, name))) continue;
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

  /** `<host key>-<pid>-<random>`; made when first needed, for most operations write nothing. */
  #instance(): string {
    this.#instanceName ??= `${hostKey()}-${process.pid}-${randomBytes(6).toString('hex')}`;
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

/** Equal for processes that can see each other's process ids; containers that share a disk differ. */
function hostKey(): string {
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Only Linux has it; elsewhere the host's name decides.
  }
  return createHash('sha256').update(`${hostname()}\n${namespace}`).digest('hex').slice(0, 12);
}

async function isAbandoned(parent: Folder, name: string): Promise<boolean> {
  const [host, pid] = name.split('-');
  if (host === hostKey() && !isAlive(Number(pid))) return true;
  const stats = await parent.disk.lstat(parent.at(name)).catch(() => undefined);
  return stats !== undefined && Date.now() - stats.mtimeMs > ABANDONED_AFTER_MS;
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}
