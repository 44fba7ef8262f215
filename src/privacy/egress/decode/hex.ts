import type { Piece } from './piece.js';
import { textInBytes } from './text-in-bytes.js';

/** Text as hexadecimal bytes: `6a616e65`, `6a 61 6e`, `6A:61`, `\x6a\x61`, `0x6a, 0x61`, in groups of any even length. */
export function hexPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (run.length < 2 * MIN_BYTES) continue;
    let group: HexBytes = new HexBytes();
    for (const { 0: whole, 1: digits = '', index: at } of run.matchAll(GROUP)) {
      const start = index + at + whole.length - digits.length;
      if (digits.length % 2 === 0) group.add(digits, start);
      else {
        group.read(pieces);
        // One digit too many before or behind.
        for (const shift of [0, 1]) {
          const odd = new HexBytes();
          odd.add(digits.slice(shift, digits.length - 1 + shift), start + shift);
          odd.read(pieces);
        }
        group = new HexBytes();
      }
    }
    group.read(pieces);
  }
  return pieces;
}

class HexBytes {
  #digits = '';
  readonly #groups: { from: number; place: number }[] = [];

  add(digits: string, place: number): void {
    this.#groups.push({ from: this.#digits.length, place });
    this.#digits += digits;
  }

  read(pieces: Piece[]): void {
    if (this.#digits.length < 2 * MIN_BYTES) return;
    const bytes = Buffer.from(this.#digits, 'hex');
    for (const found of textInBytes(bytes)) {
      pieces.push({
        start: this.#placeOf(found.start * 2),
        end: this.#placeOf(found.end * 2 - 1) + 1,
        text: found.text,
        form: 'hex',
        isWhole: found.end - found.start === bytes.length,
        ...(/^\d+$/.test(this.#digits) ? { search: 'unmistakable' } : {}),
      });
    }
  }

  #placeOf(digit: number): number {
    let low = 0;
    let high = this.#groups.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#groups[middle]?.from ?? 0) <= digit) low = middle;
      else high = middle - 1;
    }
    const group = this.#groups[low];
    return group === undefined ? 0 : group.place + digit - group.from;
  }
}

const PREFIX = '(?:\\\\{0,4}x|0x|u00)';
const SEPARATOR = `(?:[ ,:;\\-_\\n\\r\\t'"]{1,4}${PREFIX}?|\\\\{0,4}x|\\\\{1,4}u00)`;
const RUN = new RegExp(`(?:\\\\{1,4}x|0x)?[0-9a-f]{2,}(?:${SEPARATOR}[0-9a-f]{2,})*`, 'gi');
const GROUP = /(?:0x)?([0-9a-f]{2,})/gi;
const MIN_BYTES = 6;
