import { readFileSync } from 'node:fs';
import { readFile, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Jail } from './jail.js';

const KIB = 1024;
/** What one file or folder costs the kernel beside its content. */
const INODE_BYTES = 1024;
const FOLDERS = ['workspace', 'tmp', 'dev/shm'];

/** The memory of the process that runs code in a jail, seen from outside. */
export class JailMemory {
  readonly #jail: Jail;
  readonly #insidePid: number;
  #pid: number | undefined;
  #shared = 0;

  /** @param insidePid the process's pid as the jail counts. */
  constructor(jail: Jail, insidePid: number) {
    this.#jail = jail;
    this.#insidePid = insidePid;
  }

  /** The process's pid on this machine; undefined when it is gone. */
  get pid(): number | undefined {
    this.#pid ??= this.#find();
    return this.#pid;
  }

  /** Before a run: what the process has from its parent does not count. */
  begin(): void {
    this.#pid ??= this.#find();
    if (this.#pid === undefined || this.#shared > 0) return;
    try {
      this.#shared = ownBytes(readFileSync(`/proc/${this.#pid}/status`, 'utf8'));
    } catch {
      // Gone already.
    }
  }

  /**
   * Anonymous and shared memory beyond what it began with, and what the number of its files costs; 0.1 ms. statm would not
   * do: its column of shared pages hides shared anonymous memory. The content of files is bounded by the size of their mounts.
   */
  async used(): Promise<number | undefined> {
    const status = await this.#status();
    if (status === undefined) return undefined;
    return Math.max(0, ownBytes(status) - this.#shared) + (await this.#inodes()) * INODE_BYTES;
  }

  async resident(): Promise<number | undefined> {
    const status = await this.#status();
    return status === undefined ? undefined : field(status, 'VmRSS');
  }

  async #status(): Promise<string | undefined> {
    this.#pid ??= this.#find();
    if (this.#pid === undefined) return undefined;
    return readFile(`/proc/${this.#pid}/status`, 'utf8').catch(() => undefined);
  }

  async #inodes(): Promise<number> {
    const parent = this.#jail.parentPid;
    if (parent === undefined) return 0;
    const counts = await Promise.all(
      FOLDERS.map((folder) =>
        statfs(path.join('/proc', String(parent), 'root', folder)).then(
          ({ files, ffree }) => files - ffree,
          () => 0,
        ),
      ),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  #find(): number | undefined {
    const parent = this.#jail.parentPid;
    if (parent === undefined) return undefined;
    try {
      const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8')
        .split(' ')
        .filter(Boolean);
      return children.map(Number).find((pid) => {
        const inside = /^NSpid:.*?(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
        return Number(inside?.[1]) === this.#insidePid;
      });
    } catch {
      return undefined;
    }
  }
}

function ownBytes(status: string): number {
  return field(status, 'RssAnon') + field(status, 'RssShmem');
}

function field(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * KIB;
}
