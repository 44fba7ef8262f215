import type { Piece } from './piece.js';
import { textInBytes } from './text-in-bytes.js';

/** Text inside base32, a run of its own. */
export function base32Pieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const bytes = decode(run);
    const [found] = textInBytes(bytes);
    if (found !== undefined && found.end - found.start === bytes.length)
      pieces.push({ start: index, end: index + run.length, text: found.text, form: 'base32', isWhole: true });
  }
  return pieces;
}

function decode(run: string): Uint8Array {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const letter of run.replace(/=+$/, '')) {
    held = ((held << 5) | ALPHABET.indexOf(letter)) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 0xff);
    }
  }
  return Uint8Array.from(bytes);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const RUN = /(?<![A-Za-z0-9])[A-Z2-7]{13,}={0,6}(?![A-Za-z0-9])/g;
