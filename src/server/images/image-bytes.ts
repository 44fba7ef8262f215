import { jpegPixels } from './jpeg-pixels.js';
import { pngPixels } from './png-pixels.js';

/** Bytes of a picture that an answer carries: as base64 it stays below 1 MiB. */
export const MAX_SHOWN_BYTES = 768 * 1024;
/** Pixels of the longer side; models refuse larger ones. */
const MAX_SIDE = 8_000;

/** The parts of an image that make its pixels, and its size. */
export interface Pixels {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** An image as it may be shown. */
export interface ImageBytes extends Pixels {
  readonly mimeType: 'image/png' | 'image/jpeg';
}

/**
 * The PNG or JPEG in `source` without comments, profiles, thumbnails and whatever follows its end; undefined if it is none, is
 * not whole or is too large. The bytes come from the sandbox: an image must not carry text past the filter beside its pixels.
 */
export function imageBytes(source: Uint8Array): ImageBytes | undefined {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const png = pngPixels(bytes);
  const jpeg = png === undefined ? jpegPixels(bytes) : undefined;
  const pixels = png ?? jpeg;
  if (pixels === undefined || pixels.bytes.length > MAX_SHOWN_BYTES) return undefined;
  const { width, height } = pixels;
  if (Math.min(width, height) < 1 || Math.max(width, height) > MAX_SIDE) return undefined;
  return { mimeType: png === undefined ? 'image/jpeg' : 'image/png', ...pixels };
}
