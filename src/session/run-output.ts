import type { RunOutput } from '../core/outcome.js';

const NEWLINE = 10;

/** Collects what a run prints, counted by the host and kept up to a cap. */
export class OutputLog {
  readonly #kept: Uint8Array[] = [];
  readonly #limit: number;
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
      this.#kept.push(part);
      this.#keptBytes += part.length;
    }
    return this.#bytes <= this.#limit;
  }

  /** Bytes that are no UTF-8 become U+FFFD. */
  result(): RunOutput {
    const head = new TextDecoder('utf-8').decode(Buffer.concat(this.#kept));
    return { head, tail: '', bytes: this.#bytes, lines: this.#lines + (this.#last === NEWLINE ? 0 : 1) };
  }
}
