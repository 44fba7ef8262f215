// @ts-check
/** @typedef {import('./random.mjs').Random} Random */

/** Pieces at which readers of JSON, text and lengths have gone wrong before. @type {readonly [Buffer, ...Buffer[]]} */
export const SHARP_PIECES = [
  Buffer.from('"__proto__":{"polluted":1},'),
  Buffer.from('"constructor":{"prototype":{"polluted":1}},'),
  Buffer.from('"type":"done",'),
  Buffer.from('"path":"../x",'),
  Buffer.from('\\ud800'),
  Buffer.from('\\u0000'),
  Buffer.from('\ufeff'),
  Buffer.from('\u2028\r\n\r'),
  Buffer.from([0]),
  Buffer.from([0xff]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0xc0, 0x80]),
  Buffer.from('1e999'),
  Buffer.from('-0'),
  Buffer.from('9007199254740993'),
  Buffer.from('[[[[[[[['),
  Buffer.from('{"a":{"a":{"a":'),
  Buffer.from('null'),
  Buffer.from('NaN'),
  Buffer.from(',"'),
];

const COMMA = 0x2c;

/** Lengths at the edges of caps and of 32 bits. @type {readonly [number, ...number[]]} */
export const SHARP_LENGTHS = [
  0, 1, 2, 7, 8, 255, 65_535, 2_097_152, 2_097_153, 25_165_824, 25_165_825, 0x7fffffff, 0x80000000,
  0xffffffff,
];

/**
 * The bytes with one change: a bit, a byte, a cut, a piece twice, a piece of another, a length, something sharp.
 *
 * @param {Random} random
 * @param {Buffer} bytes
 * @param {Buffer} other where a splice takes from
 * @returns {Buffer} the argument is not changed
 */
export function mutated(random, bytes, other) {
  const length = bytes.length;
  if (length === 0) return Buffer.from(other);
  const at = random.below(length);
  const span = 1 + random.below(Math.min(length - at, 1 + random.below(40)));
  const between = (/** @type {Uint8Array} */ piece, skip = 0) =>
    Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + skip)]);
  switch (random.below(8)) {
    case 0: {
      const copy = Buffer.from(bytes);
      copy[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
      return copy;
    }
    case 1: {
      const copy = Buffer.from(bytes);
      copy[at] = random.below(256);
      return copy;
    }
    case 2:
      return between(new Uint8Array(0), span);
    case 3:
      return between(bytes.subarray(at, at + span));
    case 4:
      return between(other.subarray(random.below(other.length + 1)), span);
    case 5: {
      // Where a field may begin, if there is such a place behind.
      const comma = random.onceIn(2) ? bytes.indexOf(COMMA, at) : -1;
      const place = comma < 0 ? at : comma + 1;
      return Buffer.concat([bytes.subarray(0, place), random.pick(SHARP_PIECES), bytes.subarray(place)]);
    }
    case 6: {
      if (length < 4) return bytes.subarray(0, at);
      const copy = Buffer.from(bytes);
      copy.writeUInt32BE(random.pick(SHARP_LENGTHS), random.below(length - 3));
      return copy;
    }
    default:
      return bytes.subarray(0, at);
  }
}
