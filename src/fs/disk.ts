import * as nodeFs from 'node:fs';
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Synchronous work between two turns of the event loop, in milliseconds. */
const TURN_MS = 2;
/** A call that blocks longer than this is not the page cache's: a network or sleeping disk. */
const SLOW_MS = 20;
/** So many in a row: one alone may be this process waiting for a processor. */
const SLOW_CALLS = 3;
/** How long calls go through the thread pool after that, in milliseconds. */
const SLOW_FOR_MS = 10_000;
/** Longer reads and writes always go through the thread pool. */
const SMALL_BYTES = 128 * 1024;

/**
 * The system calls on files. On a local disk a call takes 2 to 15 us, its way through Node's thread pool 30 to 150 us;
 * with thousands of small files that is the difference between 20 ms and a second. So small calls are made at once,
 * with a turn of the event loop after every 2 ms of them, and through the thread pool while the disk proves slow.
 */
export class Disk {
  #slowUntil = 0;
  #spentMs = 0;
  #slowCalls = 0;

  open(path: string, flags: number, mode?: number): Promise<number> {
    return this.#call(
      () => nodeFs.openSync(path, flags, mode),
      () => openLater(path, flags, mode),
    );
  }

  close(fd: number): Promise<void> {
    return this.#call(
      () => nodeFs.closeSync(fd),
      () => closeLater(fd),
    );
  }

  /** Bytes read; 0 at the end of the file. */
  read(fd: number, into: Uint8Array, at: number, length: number, position: number): Promise<number> {
    const later = async () => (await readLater(fd, into, at, length, position)).bytesRead;
    if (length > SMALL_BYTES) return later();
    return this.#call(() => nodeFs.readSync(fd, into, at, length, position), later);
  }

  /** Bytes written, at least 1. */
  write(fd: number, from: Uint8Array, at: number, length: number, position: number): Promise<number> {
    const later = async () => (await writeLater(fd, from, at, length, position)).bytesWritten;
    if (length > SMALL_BYTES) return later();
    return this.#call(() => nodeFs.writeSync(fd, from, at, length, position), later);
  }

  lstat(path: string): Promise<nodeFs.Stats> {
    return this.#call(
      () => nodeFs.lstatSync(path),
      () => nodeFs.promises.lstat(path),
    );
  }

  /** With exact inode numbers, to compare identities. */
  identity(path: string): Promise<nodeFs.BigIntStats> {
    return this.#call(
      () => nodeFs.lstatSync(path, { bigint: true }),
      () => nodeFs.promises.lstat(path, { bigint: true }),
    );
  }

  realpath(path: string): Promise<string> {
    return this.#call(
      () => nodeFs.realpathSync.native(path),
      () => nodeFs.promises.realpath(path),
    );
  }

  readdir(path: string): Promise<string[]> {
    return nodeFs.promises.readdir(path);
  }

  mkdir(path: string, mode: number): Promise<void> {
    return this.#call(
      () => void nodeFs.mkdirSync(path, { mode }),
      async () => void (await nodeFs.promises.mkdir(path, { mode })),
    );
  }

  rename(from: string | Buffer, to: string): Promise<void> {
    return this.#call(
      () => nodeFs.renameSync(from, to),
      () => nodeFs.promises.rename(from, to),
    );
  }

  link(from: string, to: string): Promise<void> {
    return this.#call(
      () => nodeFs.linkSync(from, to),
      () => nodeFs.promises.link(from, to),
    );
  }

  unlink(path: string | Buffer): Promise<void> {
    return this.#call(
      () => nodeFs.unlinkSync(path),
      () => nodeFs.promises.unlink(path),
    );
  }

  rmdir(path: string): Promise<void> {
    return this.#call(
      () => nodeFs.rmdirSync(path),
      () => nodeFs.promises.rmdir(path),
    );
  }

  async #call<T>(now: () => T, later: () => Promise<T>): Promise<T> {
    if (this.#spentMs > TURN_MS) {
      await yieldToLoop();
      this.#spentMs = 0;
    }
    const start = performance.now();
    if (start < this.#slowUntil) return later();
    try {
      return now();
    } finally {
      const took = performance.now() - start;
      this.#spentMs += took;
      this.#slowCalls = took > SLOW_MS ? this.#slowCalls + 1 : 0;
      if (this.#slowCalls >= SLOW_CALLS) this.#slowUntil = start + took + SLOW_FOR_MS;
    }
  }
}

const openLater = promisify(nodeFs.open);
const closeLater = promisify(nodeFs.close);
const readLater = promisify(nodeFs.read);
const writeLater = promisify(nodeFs.write);
