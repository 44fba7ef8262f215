import type { Piece } from './piece.js';

/**
 * Percent-encoding, quoted-printable, HTML entities and the escapes of programming languages (`%40`, `=40`, `&#64;`,
 * `\x40`, `\u0040`, `\100`, `\n`), with any number of backslashes up to 8 as in JSON inside JSON. Every character keeps its
 * place, so a value is replaced where it stands.
 */
export function escapedPieces(text: string): Piece[] {
  if (!/[%&=\\]/.test(text)) return [];
  const pieces: Piece[] = [];
  let open: Decoded | undefined;
  for (const found of text.matchAll(ESCAPE)) {
    if (open === undefined || found.index - open.end > APART) {
      if (open !== undefined) pieces.push(open.close());
      open = new Decoded(text, Math.max(open?.reach ?? 0, found.index - AROUND));
    }
    open.add(found.index, found[0]);
  }
  if (open !== undefined) pieces.push(open.close());
  return pieces;
}

class Decoded {
  readonly #source: string;
  readonly #start: number;
  readonly #places: number[] = [];
  #text = '';
  /** Bytes of percent-encoding that belong to one UTF-8 text, and where each stands. */
  #bytes: { byte: number; place: number }[] = [];
  #isPlain = true;
  /** Behind the last escape. */
  end: number;

  constructor(source: string, start: number) {
    this.#source = source;
    this.#start = start;
    this.end = start;
  }

  /** Up to where its context goes. */
  get reach(): number {
    return Math.min(this.#source.length, this.end + AROUND);
  }

  add(index: number, written: string): void {
    if (index > this.end) this.#flush();
    this.#copy(index);
    this.end = index + written.length;
    if (!SPACE.test(written)) this.#isPlain = false;
    const byte = byteOf(written);
    if (byte !== undefined) {
      this.#bytes.push({ byte, place: index });
      return;
    }
    this.#flush();
    this.#put(characterOf(written), index);
  }

  close(): Piece {
    this.#flush();
    this.#copy(this.reach);
    const places = [...this.#places, this.reach];
    return {
      start: this.#start,
      end: this.reach,
      text: this.#text,
      places,
      isWhole: true,
      // Line ends alone change where values begin; what is between them has been looked at.
      ...(this.#isPlain ? { search: 'known' } : {}),
    };
  }

  #copy(to: number): void {
    for (let i = Math.max(this.end, this.#start); i < to; i++) this.#places.push(i);
    this.#text += this.#source.slice(Math.max(this.end, this.#start), to);
  }

  #flush(): void {
    if (this.#bytes.length === 0) return;
    const bytes = Buffer.from(this.#bytes.map(({ byte }) => byte));
    let at = 0;
    for (const character of bytes.toString('utf8')) {
      const place = this.#bytes[Math.min(at, this.#bytes.length - 1)]?.place ?? this.#start;
      this.#put(character, place);
      at += character === '\ufffd' ? 1 : Buffer.byteLength(character);
    }
    this.#bytes = [];
  }

  #put(text: string, place: number): void {
    for (let i = 0; i < text.length; i++) this.#places.push(place);
    this.#text += text;
  }
}

function byteOf(written: string): number | undefined {
  if (written.startsWith('%') || written.startsWith('=')) return Number.parseInt(written.slice(1), 16);
  const hex = /^\\+x(..)$/.exec(written)?.[1];
  if (hex !== undefined) return Number.parseInt(hex, 16);
  const octal = /^\\+([0-7]{3})$/.exec(written)?.[1];
  return octal === undefined ? undefined : Number.parseInt(octal, 8) & 0xff;
}

function characterOf(written: string): string {
  const named = /^&([a-z]+);$/i.exec(written)?.[1];
  if (named !== undefined) return NAMED[named.toLowerCase()] ?? written;
  const decimal = /^&#(\d+)/.exec(written)?.[1];
  if (decimal !== undefined) return fromCode(Number(decimal), written);
  const hex = /^(?:&#x|\\+u\{?|\\+U)([0-9a-f]+)/i.exec(written)?.[1];
  return hex === undefined
    ? written.endsWith('t')
      ? '\t'
      : '\n'
    : fromCode(Number.parseInt(hex, 16), written);
}

function fromCode(code: number, written: string): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : written;
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  commat: '@',
  period: '.',
  lowbar: '_',
  hyphen: '-',
  nbsp: ' ',
  colon: ':',
  sol: '/',
  plus: '+',
  num: '#',
};
const HEX = '[0-9A-Fa-f]';
const ESCAPE = new RegExp(
  `%${HEX}{2}|=[0-9A-F]{2}|&(?:#\\d{1,7};?|#[xX]${HEX}{1,6};?|[A-Za-z]{2,8};)` +
    `|\\\\{1,8}(?:x${HEX}{2}|u${HEX}{4}|u\\{${HEX}{1,6}\\}|U${HEX}{8}|[0-7]{3}|[nrt])`,
  'g',
);
const SPACE = /^\\+[nrt]$/;
/** Escapes nearer to each other are read as one text. */
const APART = 200;
/** So much before the first and behind the last of them is read along. */
const AROUND = 100;
