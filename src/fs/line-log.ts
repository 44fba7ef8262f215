import { mkdir, open, rename, stat } from 'node:fs/promises';
import path from 'node:path';

export interface LineLogOptions {
  /** File of the newest lines; older ones are `<file>.1`, `<file>.2` ... */
  readonly file: string;
  /** Bytes at which the file is rotated. */
  readonly maxBytes: number;
  /** Rotated files that are kept. */
  readonly keep: number;
  /** Called once per failure to write; the log must never stop what it records. */
  readonly onError: (error: unknown) => void;
}

const MAX_QUEUED_LINES = 10_000;

/** A log of JSON lines, rotated by size, readable by its owner only. Two processes on one file do not tear lines. */
export class LineLog {
  readonly #options: LineLogOptions;
  #waiting: string[] = [];
  #writing: Promise<void> | undefined;

  constructor(options: LineLogOptions) {
    this.#options = options;
  }

  /** Returns at once; lines are written in order, many at a time. */
  add(line: object): void {
    if (this.#waiting.length >= MAX_QUEUED_LINES) {
      this.#options.onError(new Error('the disk is too slow for the log: a line was dropped'));
      return;
    }
    this.#waiting.push(`${JSON.stringify(line)}\n`);
    this.#writing ??= this.#write();
  }

  /** Resolves when everything added before is on disk. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const text = this.#waiting.splice(0).join('');
        await mkdir(path.dirname(this.#options.file), { recursive: true, mode: 0o700 });
        await this.#rotate(Buffer.byteLength(text));
        const file = await open(this.#options.file, 'a', 0o600);
        // One write with O_APPEND: lines of another process go before or after, not between.
        await file.appendFile(text).finally(() => file.close());
      }
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#writing = undefined;
      if (this.#waiting.length > 0) this.#writing = this.#write();
    }
  }

  async #rotate(coming: number): Promise<void> {
    const { file, maxBytes, keep } = this.#options;
    const size = (await stat(file).catch(() => undefined))?.size ?? 0;
    if (size === 0 || size + coming <= maxBytes) return;
    for (let number = keep - 1; number >= 1; number--)
      await move(`${file}.${number}`, `${file}.${number + 1}`);
    await move(file, `${file}.1`);
  }
}

async function move(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
