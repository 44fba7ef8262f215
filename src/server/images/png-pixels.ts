import type { Pixels } from './image-bytes.js';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Length, type and check sum of a chunk. */
const CHUNK_BYTES = 12;
/** The chunks that make the pixels. */
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
/** A flood of empty chunks is no image. */
const MAX_CHUNKS = 20_000;

/** The PNG with the chunks that its pixels need, up to its end; undefined if it is none or not whole. */
export function pngPixels(source: Buffer): Pixels | undefined {
  if (!source.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return undefined;
  const kept: Buffer[] = [SIGNATURE];
  let size: { width: number; height: number } | undefined;
  let dataBytes = 0;
  let at = SIGNATURE.length;
  for (let n = 0; n < MAX_CHUNKS && at + CHUNK_BYTES <= source.length; n++) {
    const length = source.readUInt32BE(at);
    const end = at + CHUNK_BYTES + length;
    const type = source.toString('latin1', at + 4, at + 8);
    if (end > source.length || (type === 'IHDR') !== (n === 0)) return undefined;
    if (type === 'IHDR') {
      if (length !== 13) return undefined;
      size = { width: source.readUInt32BE(at + 8), height: source.readUInt32BE(at + 12) };
    }
    if (type === 'IDAT') dataBytes += length;
    if (KEPT.has(type)) kept.push(source.subarray(at, end));
    if (type === 'IEND') {
      if (size === undefined || length > 0 || dataBytes === 0) return undefined;
      return { bytes: Buffer.concat(kept), ...size };
    }
    at = end;
  }
  return undefined;
}
