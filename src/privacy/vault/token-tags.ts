import { createHmac } from 'node:crypto';
import { NEVER_LAST } from './token-text.js';

/** One HMAC serves this many counters in a row, 48 bits each: it costs 3 us, and a page of values takes a thousand tags. */
const TAGS_PER_HMAC = 5;
const TAG_BYTES = 6;
/** Of the last character of a tag: all but one. */
const LAST_VALUES = 31;
const TAGS = 32 ** 5 * LAST_VALUES;

/**
 * The keyed tags of counters, from HMAC-SHA-256(key, floor(counter / 5)), a different part of it for each of the five counters. A
 * tag is guessed with a chance of 9.7 in 10^10 a try. A counter belongs to one type, which the vault compares, so the tag does
 * not repeat it; nor the spelling, so that the spellings of a value differ in one character.
 */
export class TokenTags {
  readonly #key: Uint8Array;
  #group = -1;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** Below 2^30: six characters of base 32. */
  of(counter: number): number {
    const group = Math.floor(counter / TAGS_PER_HMAC);
    if (group !== this.#group) {
      this.#bytes = createHmac('sha256', this.#key).update(`${group}`).digest();
      this.#group = group;
    }
    const drawn = this.#bytes.readUIntLE((counter % TAGS_PER_HMAC) * TAG_BYTES, TAG_BYTES) % TAGS;
    const last = drawn % LAST_VALUES;
    return ((drawn - last) / LAST_VALUES) * 32 + (last < NEVER_LAST ? last : last + 1);
  }
}
