import { constants, unzipSync } from 'node:zlib';
import type { DecodeBudget, Piece } from './piece.js';
import { textInBytes } from './text-in-bytes.js';

/**
 * Text inside base64 (either alphabet): at any alignment, in the middle of other letters, wrapped over lines or over the
 * strings of a list, and compressed by gzip or zlib.
 */
export function base64Pieces(text: string, budget: DecodeBudget): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < text.length; ) {
    let end = at;
    while (isLetter(text.charCodeAt(end))) end++;
    // Nearly every word is short and followed by something that joins it to nothing.
    if (end - at >= MIN_RUN || (end > at && mayJoin(text, end))) {
      const parts = partsFrom(text, at);
      readParts(parts, pieces, budget);
      end = parts.at(-1)?.end ?? end;
    }
    at = Math.max(end, at + 1);
  }
  return pieces;
}

function readParts(parts: readonly Letters[], pieces: Piece[], budget: DecodeBudget): void {
  const [first] = parts;
  if (first === undefined) return;
  if (parts.length === 1) {
    readRun(first, pieces, budget);
    return;
  }
  // Padding in the middle: the parts were encoded each for itself.
  if (!parts.slice(0, -1).some(({ isPadded }) => isPadded)) {
    // What stands before may be words of its own, and letters before those of a value change what they say.
    const drops = parts.length <= MAX_PARTS_TRIED ? Math.min(4, parts.length - 1) : 2;
    for (let drop = 0; drop < drops; drop++) readRun(joined(parts.slice(drop)), pieces, budget);
  }
  for (const part of parts) {
    if (part.compact.length >= MIN_RUN) readRun(part, pieces, budget);
    else readShort(part, pieces);
  }
}

/** Letters of base64 and where they stand. */
interface Letters {
  readonly compact: string;
  place(at: number): number;
  /** Behind the last letter and its padding. */
  readonly end: number;
  readonly isPadded: boolean;
}

function readRun({ compact, place, end }: Letters, pieces: Piece[], budget: DecodeBudget): void {
  // Base64 of a text has capitals or digits: most words are done here.
  if (compact.length < MIN_RUN || !/[A-Z0-9]/.test(compact)) return;
  const packed = unpacked(compact, budget);
  if (packed !== undefined) {
    pieces.push({ start: place(0), end, isWhole: true, form: 'compressed base64', ...packed });
    return;
  }
  for (let shift = 0; shift < 4; shift++) {
    const bytes = Buffer.from(compact.slice(shift), 'base64');
    for (const found of textInBytes(bytes)) {
      const first = shift + Math.floor((found.start * 4) / 3);
      const last = Math.min(compact.length, shift + Math.ceil((found.end * 4) / 3)) - 1;
      const isWhole = found.end - found.start === bytes.length;
      const behind = last === compact.length - 1 ? end : place(last) + 1;
      pieces.push({ start: place(first), end: behind, text: found.text, form: 'base64', isWhole });
      if (isWhole && shift === 0) return;
    }
  }
}

/** A few whole letters on a line of their own: one of several parts that were encoded each for itself. */
function readShort({ compact, place, end }: Letters, pieces: Piece[]): void {
  if (compact.length < 2) return;
  const bytes = Buffer.from(compact, 'base64');
  const text = bytes.toString('latin1');
  if (!/^[\x20-\x7e]+$/.test(text)) return;
  pieces.push({ start: place(0), end, text, form: 'base64', isWhole: true, search: 'known' });
}

/** The stretches of letters from here on that line ends and quotes join. */
function partsFrom(text: string, start: number): Letters[] {
  const parts: Letters[] = [];
  for (let at = start; ; ) {
    const from = at;
    while (isLetter(text.charCodeAt(at))) at++;
    let end = at;
    while (end < at + 2 && text.charAt(end) === '=') end++;
    parts.push({ compact: text.slice(from, at), place: (i) => from + i, end, isPadded: end > at });
    JOINT.lastIndex = end;
    const joint = mayJoin(text, end) ? (JOINT.exec(text)?.[0].length ?? 0) : 0;
    at = end + joint;
    if (joint === 0 || !isLetter(text.charCodeAt(at))) return parts;
  }
}

function mayJoin(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return isJoint(code) && (code === NEWLINE || code === PADDING || isJoint(text.charCodeAt(at + 1)));
}

function isJoint(code: number): boolean {
  return code < 128 && LETTERS[code] === 2;
}

function isLetter(code: number): boolean {
  return code < 128 && LETTERS[code] === 1;
}

function joined(parts: readonly Letters[]): Letters {
  const places: number[] = [];
  for (const { compact, place } of parts) for (let i = 0; i < compact.length; i++) places.push(place(i));
  return {
    compact: parts.map(({ compact }) => compact).join(''),
    place: (at) => places[at] ?? 0,
    end: parts.at(-1)?.end ?? 0,
    isPadded: false,
  };
}

function unpacked(compact: string, budget: DecodeBudget): { text: string; isOpaque?: true } | undefined {
  if (!PACKED.test(compact)) return undefined;
  if (budget.unpack-- <= 0) return { text: '', isOpaque: true };
  try {
    const bytes = unzipSync(Buffer.from(compact, 'base64'), {
      maxOutputLength: MAX_UNPACKED,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    return bytes.length === 0 ? undefined : { text: bytes.toString('utf8') };
  } catch (error) {
    const isTooLong = error instanceof RangeError;
    return isTooLong ? { text: '', isOpaque: true } : undefined;
  }
}

const JOINT = /['"\s,()]{0,3}(?:\n|["'][, \n]{1,3}b?["'])\s{0,8}(?:b?["'])?/y;
/** 1: a letter of base64; 2: what may join two stretches of them. */
const LETTERS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[A-Za-z0-9+/_-]/.test(character) ? 1 : /[='"\s,()]/.test(character) ? 2 : 0;
});
const PADDING = 0x3d;
const NEWLINE = 0x0a;
/** A value in more parts is read from its first two on only. */
const MAX_PARTS_TRIED = 40;
/** 8 bytes. */
const MIN_RUN = 11;
/** The first bytes of gzip and of zlib at its usual levels. */
const PACKED = /^(?:H4sI|eJ|eA|eN|eF)/;
const MAX_UNPACKED = 1024 * 1024;
