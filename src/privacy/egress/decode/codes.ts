import type { Piece } from './piece.js';

/** Text as numbers of its characters: `[106, 97, 110]`, `106 97 110`, one a line; also as groups of 7 or 8 binary digits. */
export function codePieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    let open: { start: number; end: number; text: string } | undefined;
    const close = () => {
      if (open !== undefined && open.text.length >= MIN_CHARACTERS)
        pieces.push({ ...open, form: 'character codes', isWhole: true, search: 'unmistakable' });
      open = undefined;
    };
    for (const { 0: number, index: at } of run.matchAll(/\d+/g)) {
      const character = characterOf(number);
      if (character === undefined) close();
      else {
        open ??= { start: index + at, end: 0, text: '' };
        open.end = index + at + number.length;
        open.text += character;
      }
    }
    close();
  }
  return pieces;
}

function characterOf(number: string): string | undefined {
  const code = BINARY.test(number) ? Number.parseInt(number, 2) : number.length > 5 ? 0 : Number(number);
  if (code === 9 || code === 10 || code === 13) return ' ';
  return (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code < 0x250)
    ? String.fromCharCode(code)
    : undefined;
}

const BINARY = /^[01]{7,8}$/;
const RUN = /\d{1,8}(?:[\s,;:|\-'"[\]()]{1,4}\d{1,8}){5,}/g;
const MIN_CHARACTERS = 6;
