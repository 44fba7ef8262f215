import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeptValue } from './entry.js';

/** Values sealed together at most: a cipher call costs 7 us whatever its length, and a damaged frame loses this many. */
export const MAX_FRAME_VALUES = 64;

/*
 * A frame: length of the rest (u32), then what is authenticated but legible: number of values (u16), time of use of the
 * newest in s (u32), for each the counter (u32) and the spelling (u8); then nonce, tag and the JSON of types, values and
 * origins under AES-256-GCM. The principal is authenticated too, so a frame means nothing in the folder of another.
 */
const LENGTH_BYTES = 4;
const HEAD_BYTES = 2 + 4;
const ID_BYTES = 5;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** A frame that claims to be longer is damage. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;

/** A frame that was found, still closed. */
export interface SealedFrame {
  readonly ids: readonly { readonly counter: number; readonly spelling: number }[];
  readonly usedAt: number;
  readonly bytes: Buffer;
}

/** @param key 32 bytes, of this principal only: nonces are random, good for 2^32 frames of a key. */
export function sealFrame(key: Uint8Array, principal: string, values: readonly KeptValue[]): Buffer {
  const head = Buffer.alloc(HEAD_BYTES + values.length * ID_BYTES);
  head.writeUInt16LE(values.length, 0);
  head.writeUInt32LE(Math.max(...values.map((value) => value.usedAt)), 2);
  for (const [index, { counter, spelling }] of values.entries()) {
    head.writeUInt32LE(counter, HEAD_BYTES + index * ID_BYTES);
    head.writeUInt8(spelling, HEAD_BYTES + index * ID_BYTES + 4);
  }
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.concat([head, Buffer.from(principal)]));
  // JSON writes lone surrogates as escapes, so every string comes back as it was.
  const plain = JSON.stringify(
    values.map(({ type, isNumber, value, origins, usedAt }) => [type, isNumber, value, origins, usedAt]),
  );
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(head.length + NONCE_BYTES + TAG_BYTES + sealed.length, 0);
  return Buffer.concat([length, head, nonce, cipher.getAuthTag(), sealed]);
}

/**
 * The frames in `bytes` and how many bytes they take. A last one that is not whole yet is left; `isDamaged`: what stands
 * there can be no frame, and nothing behind it can be found.
 */
export function framesIn(bytes: Buffer): {
  readonly frames: SealedFrame[];
  readonly length: number;
  readonly isDamaged: boolean;
} {
  const frames: SealedFrame[] = [];
  let at = 0;
  while (at + LENGTH_BYTES <= bytes.length) {
    const length = bytes.readUInt32LE(at);
    if (length < HEAD_BYTES + NONCE_BYTES + TAG_BYTES || length > MAX_FRAME_BYTES)
      return { frames, length: at, isDamaged: true };
    const end = at + LENGTH_BYTES + length;
    if (end > bytes.length) break;
    const frame = bytes.subarray(at + LENGTH_BYTES, end);
    const count = frame.readUInt16LE(0);
    if (frame.length < HEAD_BYTES + count * ID_BYTES + NONCE_BYTES + TAG_BYTES)
      return { frames, length: at, isDamaged: true };
    const ids = Array.from({ length: count }, (_, index) => ({
      counter: frame.readUInt32LE(HEAD_BYTES + index * ID_BYTES),
      spelling: frame.readUInt8(HEAD_BYTES + index * ID_BYTES + 4),
    }));
    frames.push({ ids, usedAt: frame.readUInt32LE(2), bytes: frame });
    at = end;
  }
  return { frames, length: at, isDamaged: false };
}

/** The values of a frame; undefined when it was changed, or is of another key or principal. */
export function openFrame(
  key: Uint8Array,
  principal: string,
  { ids, bytes }: SealedFrame,
): KeptValue[] | undefined {
  const headEnd = HEAD_BYTES + ids.length * ID_BYTES;
  const nonceEnd = headEnd + NONCE_BYTES;
  const tagEnd = nonceEnd + TAG_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(headEnd, nonceEnd));
  decipher.setAAD(Buffer.concat([bytes.subarray(0, headEnd), Buffer.from(principal)]));
  decipher.setAuthTag(bytes.subarray(nonceEnd, tagEnd));
  let plain: string;
  try {
    plain = decipher.update(bytes.subarray(tagEnd), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
  // Authentic, so it is what sealFrame wrote.
  const rows: [string, boolean, string, KeptValue['origins'], number][] = JSON.parse(plain);
  return rows.flatMap(([type, isNumber, value, origins, usedAt], index) => {
    const id = ids[index];
    return id === undefined ? [] : { type, isNumber, ...id, value, origins, usedAt };
  });
}
