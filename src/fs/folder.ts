import { type BigIntStats, constants, existsSync, fstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CodeExecutionError } from '../core/errors.js';
import type { Disk } from './disk.js';

/**
 * How containment is enforced.
 *
 * `handles` (Linux with /proc): every component is opened relative to the handle of its folder, without following
 * links, so nothing that is renamed or replaced meanwhile can redirect an operation.
 *
 * `checks` (macOS, Windows): Node has no openat there, so paths are used; each component is looked at before, what was
 * opened is compared with what was looked at, and the real path of the parent must lead back to the root by device and
 * inode. Content is never read without that comparison, but someone who can swap folders for links in the workspace at
 * the right microsecond can still win a race for operations on a name (list, replace, remove). Guest code cannot: it
 * never touches real files.
 */
export type Mechanism = 'handles' | 'checks';

/** An open folder below a root. Names given to it are single parts that passed `RelativePath` or come from a listing. */
export interface Folder {
  readonly disk: Disk;
  /** Path of the folder for a system call. */
  readonly self: string;
  /** Path of `name` in it for a system call that does not follow a link in the last part. */
  at(name: string): string;
  /** Fails with ENOTDIR or ELOOP on anything but a real folder. */
  openFolder(name: string): Promise<Folder>;
  /** A file descriptor, opened without following a link or waiting on a pipe. The caller checks what it is and closes it. */
  openFile(name: string, flags: number, mode?: number): Promise<number>;
  /** Fails when the folder no longer lies below the root. Before changes by name; free with `handles`. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

export function defaultMechanism(): Mechanism {
  return process.platform === 'linux' && existsSync('/proc/self/fd') ? 'handles' : 'checks';
}

/** Opens a root. It is the operator's choice, so links on the way to it are followed. */
export async function openRoot(path: string, mechanism: Mechanism, disk: Disk): Promise<Folder> {
  if (mechanism === 'checks') return CheckedFolder.root(path, disk);
  return new HandleFolder(await disk.open(path, constants.O_RDONLY | constants.O_DIRECTORY), disk);
}

// Windows lacks these three; there the comparison of handle and name takes their place.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const FILE_FLAGS = NO_FOLLOW | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Looks at a name that is being replaced, before it is refused. */
const OPEN_ATTEMPTS = 10;

class HandleFolder implements Folder {
  readonly self: string;

  constructor(
    private readonly fd: number,
    readonly disk: Disk,
  ) {
    this.self = `/proc/self/fd/${fd}`;
  }

  at(name: string): string {
    return `${this.self}/${name}`;
  }

  async openFolder(name: string): Promise<Folder> {
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | NO_FOLLOW;
    return new HandleFolder(await this.disk.open(this.at(name), flags), this.disk);
  }

  openFile(name: string, flags: number, mode?: number): Promise<number> {
    return this.disk.open(this.at(name), flags | FILE_FLAGS, mode);
  }

  async verify(): Promise<void> {}

  close(): Promise<void> {
    return this.disk.close(this.fd);
  }
}

class CheckedFolder implements Folder {
  private constructor(
    readonly self: string,
    readonly disk: Disk,
    private readonly depth: number,
    private readonly rootIdentity: BigIntStats,
  ) {}

  static async root(path: string, disk: Disk): Promise<CheckedFolder> {
    const real = await disk.realpath(path);
    return new CheckedFolder(real, disk, 0, await disk.identity(real));
  }

  at(name: string): string {
    return join(this.self, name);
  }

  async openFolder(name: string): Promise<Folder> {
    const stats = await this.disk.identity(this.at(name));
    if (!stats.isDirectory()) throw Object.assign(new Error('no folder'), { code: 'ENOTDIR' });
    const folder = new CheckedFolder(this.at(name), this.disk, this.depth + 1, this.rootIdentity);
    await folder.verify();
    return folder;
  }

  /** A name whose file changes between the look and the opening, as by an atomic write, is looked at again. */
  async openFile(name: string, flags: number, mode?: number): Promise<number> {
    for (let attempt = 1; attempt <= OPEN_ATTEMPTS; attempt += 1) {
      const fd = await this.#openSame(name, flags, mode);
      if (fd !== undefined) return fd;
    }
    throw moved();
  }

  async #openSame(name: string, flags: number, mode?: number): Promise<number | undefined> {
    await this.verify();
    // A new file has nothing to compare with; O_EXCL follows no link.
    const isNew = (flags & constants.O_EXCL) !== 0;
    const before = isNew ? undefined : await this.disk.identity(this.at(name));
    if (before !== undefined && !before.isFile())
      throw Object.assign(new Error('no file'), { code: 'ELOOP' });
    const fd = await this.disk.open(this.at(name), flags | FILE_FLAGS, mode);
    try {
      await this.verify();
      if (before === undefined || same(before, fstatSync(fd, { bigint: true }))) return fd;
    } catch (error) {
      await this.disk.close(fd);
      throw error;
    }
    await this.disk.close(fd);
    return undefined;
  }

  /** Goes up as many steps as the folder lies below the root: that must be the root itself, by identity. */
  async verify(): Promise<void> {
    let real = await this.disk.realpath(this.self);
    for (let step = 0; step < this.depth; step += 1) real = dirname(real);
    if (!same(this.rootIdentity, await this.disk.identity(real))) throw moved();
  }

  async close(): Promise<void> {}
}

function same(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

function moved(): CodeExecutionError {
  return new CodeExecutionError('path_denied', 'The file was replaced while it was opened.', 'Try again.');
}
