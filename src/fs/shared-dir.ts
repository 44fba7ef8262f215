import { ContainedDir } from './contained-dir.js';
import { Disk } from './disk.js';
import type { Mechanism } from './folder.js';

/**
 * One contained directory, open only while someone uses it: a server with thousands of principals holds no handle for
 * those at rest, and a folder that its owner removed and made again is found again.
 */
export class SharedDir {
  readonly #disk = new Disk();
  #users = 0;
  #dir: Promise<ContainedDir> | undefined;

  /** `make`: whether a folder that is not there is made; default true. */
  constructor(
    readonly hostPath: string,
    private readonly mechanism: Mechanism | undefined,
    private readonly make = true,
  ) {}

  /** Opens the directory for one use. */
  async use<T>(task: (dir: ContainedDir) => Promise<T>): Promise<T> {
    const dir = await this.acquire();
    try {
      return await task(dir);
    } finally {
      await this.release();
    }
  }

  /** Keeps it open until `release`, called once for each `acquire` that succeeded. */
  async acquire(): Promise<ContainedDir> {
    this.#users += 1;
    this.#dir ??= ContainedDir.open(this.hostPath, {
      ...(this.mechanism ? { mechanism: this.mechanism } : {}),
      disk: this.#disk,
      make: this.make,
    });
    try {
      return await this.#dir;
    } catch (error) {
      this.#users -= 1;
      if (this.#users === 0) this.#dir = undefined;
      throw error;
    }
  }

  async release(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0) return;
    const dir = this.#dir;
    this.#dir = undefined;
    await (await dir)?.close();
  }
}
