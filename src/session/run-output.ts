import type { RunOutput } from '../core/outcome.js';

const NEWLINE = 10;

const FIRST_BYTES = 4 * 1024;

/**
 * Collects what a run prints, counted by the host and kept up to a cap. Bytes are copied: a view of one byte would hold
 * the whole chunk that it came in, and a worker can print byte by byte.
 */
export class OutputLog {
  readonly #limit: number;
  #kept = Buffer.alloc(0);
  #keptBytes = 0;
  #bytes = 0;
  #lines = 0;
  #last = NEWLINE;

  /** @param limit bytes that are kept and allowed. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** True while the run may go on printing. */
  add(chunk: Uint8Array): boolean {
    this.#bytes += chunk.length;
    for (const byte of chunk) if (byte === NEWLINE) this.#lines++;
    this.#last = chunk.at(-1) ?? this.#last;
    if (this.#keptBytes < this.#limit) {
      const part = chunk.subarray(0, this.#limit - this.#keptBytes);
      this.#makeRoom(this.#keptBytes + part.length);
      this.#kept.set(part, this.#keptBytes);
      this.#keptBytes += part.length;
    }
    return this.#bytes <= this.#limit;
  }

  /** Bytes that are no UTF-8 become U+FFFD. */
  result(): RunOutput {
    const head = new TextDecoder('utf-8').decode(this.#kept.subarray(0, this.#keptBytes));
    return { head, tail: '', bytes: this.#bytes, lines: this.#lines + (this.#last === NEWLINE ? 0 : 1) };
  }

  #makeRoom(bytes: number): void {
    if (bytes <= this.#kept.length) return;
    const larger = Buffer.alloc(Math.min(this.#limit, Math.max(bytes, 2 * this.#kept.length, FIRST_BYTES)));
    larger.set(this.#kept);
    this.#kept = larger;
  }
}
