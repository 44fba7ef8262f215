import { CodeExecutionError } from '../../../core/errors.js';

/** Bits of an entry; scripts/compile-names.mjs has the same. */
/** A given name somewhere in the world. */
export const GIVEN = 1;
/** So well known that it is a name when it stands alone. */
export const COMMON_GIVEN = 2;
export const FAMILY = 4;
/** A surname so frequent that it counts after a given name though it is a word as well (Baker, Green). */
export const COMMON_FAMILY = 8;
/** A word of a language, written with a capital at the start of a sentence or in a heading. */
export const ORDINARY = 16;
/** An ordinary word that every text uses, or a product or brand. */
export const FREQUENT = 32;
export const PLACE = 64;

/** Names and ordinary words by the hashes of `Words.hashes`, of words in plain letters (`foldedHash`). */
export class NameList {
  /** Where each bucket starts; a bucket is the upper half of a hash. */
  readonly #starts = new Uint32Array(BUCKETS + 1);
  readonly #lower: Uint16Array;
  readonly #bits: Uint8Array;

  /**
   * @param bytes data/names.bin; scripts/compile-names.mjs says how it is laid out.
   * @throws CodeExecutionError `internal` when the bytes are something else.
   */
  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const count = bytes.length < HEAD || view.getUint32(0, true) !== MAGIC ? -1 : view.getUint32(4, true);
    if (bytes.length !== HEAD + BUCKETS + 3 * count) throw damaged();
    let start = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      this.#starts[bucket] = start;
      start += view.getUint8(HEAD + bucket);
    }
    this.#starts[BUCKETS] = start;
    if (start !== count) throw damaged();
    const from = HEAD + BUCKETS;
    this.#lower = new Uint16Array(count);
    for (let index = 0; index < count; index++) this.#lower[index] = view.getUint16(from + 2 * index, true);
    this.#bits = bytes.slice(from + 2 * count);
  }

  /** What is known of a word; 0: nothing. */
  bitsOf(hash: number): number {
    const bucket = hash >>> 16;
    const lower = hash & 0xffff;
    const end = this.#starts[bucket + 1] as number;
    for (let index = this.#starts[bucket] as number; index < end; index++)
      if (this.#lower[index] === lower) return this.#bits[index] as number;
    return 0;
  }
}

const HEAD = 8;
const BUCKETS = 0x10000;
/** `NAM1`, little-endian. */
const MAGIC = 0x314d414e;

function damaged(): CodeExecutionError {
  return new CodeExecutionError(
    'internal',
    'The list of names (data/names.bin) is damaged. Install the package again.',
  );
}
