import type { Pixels } from './image-bytes.js';

const MARK = 0xff;
const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
/** Tables for Huffman and arithmetic coding and for quantising, the restart interval. */
const TABLES: ReadonlySet<number> = new Set([0xc4, 0xcc, 0xdb, 0xdd]);
/** Says how colours are stored; without it those of some images come out wrong. */
const ADOBE = 0xee;
const ADOBE_BYTES = 12;
const MAX_SEGMENTS = 20_000;

/** The JPEG with the segments that its pixels need, up to its end; undefined if it is none or not whole. */
export function jpegPixels(source: Buffer): Pixels | undefined {
  if (source[0] !== MARK || source[1] !== START) return undefined;
  const kept: Buffer[] = [source.subarray(0, 2)];
  let size: { width: number; height: number } | undefined;
  let scans = 0;
  let at = 2;
  for (let n = 0; n < MAX_SEGMENTS && at + 2 <= source.length; n++) {
    if (source[at] !== MARK) return undefined;
    const marker = source[at + 1] ?? 0;
    if (marker === END) {
      kept.push(source.subarray(at, at + 2));
      return size !== undefined && scans > 0 ? { bytes: Buffer.concat(kept), ...size } : undefined;
    }
    const segment = segmentAt(source, at);
    if (segment === undefined) return undefined;
    if (isFrame(marker)) {
      if (segment.length < 11) return undefined;
      size ??= { width: segment.readUInt16BE(7), height: segment.readUInt16BE(5) };
    }
    at += segment.length;
    if (marker === SCAN) {
      const end = endOfScan(source, at);
      kept.push(segment, source.subarray(at, end));
      at = end;
      scans++;
    } else if (isFrame(marker) || TABLES.has(marker)) kept.push(segment);
    else if (marker === ADOBE && isAdobe(segment)) kept.push(segment);
  }
  return undefined;
}

/** A segment with its marker; undefined if it is not whole. */
function segmentAt(source: Buffer, at: number): Buffer | undefined {
  if (at + 4 > source.length) return undefined;
  const length = source.readUInt16BE(at + 2);
  return length < 2 || at + 2 + length > source.length ? undefined : source.subarray(at, at + 2 + length);
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && !TABLES.has(marker) && marker !== 0xc8;
}

/** Exactly what the standard has there: a longer one could hold anything. */
function isAdobe(segment: Buffer): boolean {
  return segment.length === 4 + ADOBE_BYTES && segment.toString('latin1', 4, 9) === 'Adobe';
}

/** Where the coded data end: at the next marker that is neither a stuffed byte nor a restart. */
function endOfScan(source: Buffer, start: number): number {
  let at = source.indexOf(MARK, start);
  while (at >= 0 && at + 1 < source.length) {
    const next = source[at + 1] ?? 0;
    if (next !== 0 && next !== MARK && (next < 0xd0 || next > 0xd7)) return at;
    at = source.indexOf(MARK, at + (next === MARK ? 1 : 2));
  }
  return source.length;
}
