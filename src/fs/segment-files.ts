import {
  chmodSync,
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmdirSync,
  rmSync,
  write,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { isAbandoned, newInstanceName } from './instance-name.js';
import { errnoOf } from './system-error.js';

const NAME = /^(\d{8})\.seg$/;
/** Longest first line, in bytes. */
const MAX_HEADER = 256;
const LAST_NUMBER = 99_999_999;

/** What the first line of a segment says. */
export interface SegmentHeader {
  /** Whether the process that made it may still append to it. Always true for a process of another host. */
  readonly isHeld: boolean;
  /** Given by who made it. */
  readonly label: string;
  /** Offset of the first byte behind it. */
  readonly bytes: number;
}

/**
 * Numbered files that are only appended to, each by the one process that made it; several processes may use one folder
 * at a time. A number is given out once: making a file is exclusive, so numbers can stand for ranges of identifiers.
 * Readable by the owner only.
 */
export class SegmentFolder {
  constructor(private readonly folder: string) {}

  /** Numbers of the segments that are there, ascending. */
  numbers(): number[] {
    let names: string[];
    try {
      names = readdirSync(this.folder);
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return [];
      throw error;
    }
    return names
      .flatMap((name) => NAME.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
  }

  /**
   * Makes the first segment with a number of at least `from` and beyond all that are there.
   *
   * @param label without line breaks, at most 200 ASCII characters.
   */
  claim(from: number, label: string): Segment {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    chmodSync(this.folder, 0o700); // whatever the umask, and whoever made it
    for (let number = Math.max(from, (this.numbers().at(-1) ?? -1) + 1); number <= LAST_NUMBER; number += 1) {
      try {
        const fd = openSync(this.#fileOf(number), 'ax', 0o600);
        return new Segment(number, fd, `${newInstanceName()} ${label}\n`);
      } catch (error) {
        if (errnoOf(error) !== 'EEXIST') throw error;
      }
    }
    throw new Error('the folder has no segment number left');
  }

  /** The bytes from `offset` to the present end, or `length` of them; none when the segment is gone. */
  read(number: number, offset: number, length = Number.POSITIVE_INFINITY): Buffer {
    let fd: number;
    try {
      fd = openSync(this.#fileOf(number), 'r');
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return Buffer.alloc(0);
      throw error;
    }
    try {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, fstatSync(fd).size - offset)));
      let done = 0;
      while (done < bytes.length) {
        const got = readSync(fd, bytes, done, bytes.length - done, offset + done);
        if (got === 0) break;
        done += got;
      }
      return bytes.subarray(0, done);
    } finally {
      closeSync(fd);
    }
  }

  /** What the first line says; undefined when it is not whole (yet), or the segment is gone. */
  header(number: number): SegmentHeader | undefined {
    const bytes = this.read(number, 0, MAX_HEADER);
    const end = bytes.indexOf(10);
    const [, maker, label] = /^(\S+) (.*)$/.exec(bytes.toString('latin1', 0, Math.max(0, end))) ?? [];
    if (maker === undefined || label === undefined) return undefined;
    // Age says nothing here: a process that has nothing to append still holds its segment.
    return { isHeld: !isAbandoned(maker, Date.now()), label, bytes: end + 1 };
  }

  /** Size in bytes and time of the last change in ms since 1970; undefined when it is gone. */
  stat(number: number): { readonly size: number; readonly mtimeMs: number } | undefined {
    return lstatSync(this.#fileOf(number), { throwIfNoEntry: false });
  }

  /** Nothing happens if it is gone. */
  remove(number: number): void {
    rmSync(this.#fileOf(number), { force: true });
  }

  /** Removes the folder if it is empty. */
  removeIfEmpty(): void {
    try {
      rmdirSync(this.folder);
    } catch {
      // Another process has begun to use it again.
    }
  }

  #fileOf(number: number): string {
    return path.join(this.folder, `${String(number).padStart(8, '0')}.seg`);
  }
}

/** A segment that this process made and appends to. */
export class Segment {
  #size: number;

  constructor(
    readonly number: number,
    private readonly fd: number,
    header: string,
  ) {
    this.#size = writeSync(fd, header);
  }

  /** One at a time. What could be written in part only is taken back, so that readers never lose step. */
  async append(bytes: Uint8Array): Promise<void> {
    try {
      for (let done = 0; done < bytes.length; )
        done += (await writeLater(this.fd, bytes, done, bytes.length - done, null)).bytesWritten;
    } catch (error) {
      ftruncateSync(this.fd, this.#size);
      throw error;
    }
    this.#size += bytes.length;
  }

  /** Returns when what was appended is on the disk itself. */
  sync(): void {
    fdatasyncSync(this.fd);
  }

  close(): void {
    closeSync(this.fd);
  }
}

const writeLater = promisify(write);
