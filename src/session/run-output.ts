import type { RunOutput } from '../core/outcome.js';

const NEWLINE = 10;

const FIRST_BYTES = 4 * 1024;

/** What stays of a flood. Looking through all of it for what the model may not see would cost the server a second and more. */
const FLOOD_HEAD_BYTES = 512 * 1024;
const FLOOD_TAIL_BYTES = 64 * 1024;

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
    // By index: an iterator takes ten times as long, and a flood is 16 MiB.
    for (let i = 0; i < chunk.length; i++) if (chunk[i] === NEWLINE) this.#lines++;
    this.#last = chunk.at(-1) ?? this.#last;
    if (this.#keptBytes < this.#limit) {
      const part = chunk.subarray(0, this.#limit - this.#keptBytes);
      this.#makeRoom(this.#keptBytes + part.length);
      this.#kept.set(part, this.#keptBytes);
      this.#keptBytes += part.length;
    }
    return this.#bytes <= this.#limit;
  }

  /**
   * Bytes that are no UTF-8 become U+FFFD.
   * @param isFlood the run was stopped for how much it printed: only the ends stay.
   */
  result(isFlood: boolean): RunOutput {
    const kept = this.#kept.subarray(0, this.#keptBytes);
    const isCut = isFlood && kept.length > FLOOD_HEAD_BYTES + FLOOD_TAIL_BYTES;
    return {
      head: textOf(isCut ? kept.subarray(0, FLOOD_HEAD_BYTES) : kept),
      tail: isCut ? textOf(kept.subarray(-FLOOD_TAIL_BYTES)) : '',
      bytes: this.#bytes,
      lines: this.#lines + (this.#last === NEWLINE ? 0 : 1),
    };
  }

  #makeRoom(bytes: number): void {
    if (bytes <= this.#kept.length) return;
    const larger = Buffer.alloc(Math.min(this.#limit, Math.max(bytes, 2 * this.#kept.length, FIRST_BYTES)));
    larger.set(this.#kept);
    this.#kept = larger;
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes);
}
