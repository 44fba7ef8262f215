import { isUtf8 } from 'node:buffer';

/** Text among bytes; offsets of bytes. */
export interface TextInBytes {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The bytes as one text if they are UTF-8 without control characters; else the stretches of printable ASCII in them. */
export function textInBytes(bytes: Uint8Array): TextInBytes[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length >= MIN_WHOLE && isUtf8(bytes)) {
    const text = buffer.toString('utf8');
    if (!CONTROL.test(text)) return [{ start: 0, end: bytes.length, text }];
  }
  const found: TextInBytes[] = [];
  let start = 0;
  let letters = 0;
  const close = (end: number) => {
    if (letters >= MIN_STRETCH)
      found.push({ start, end, text: buffer.toString('latin1', start, end).replaceAll('\0', '') });
    letters = 0;
  };
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte >= 0x20 && byte < 0x7f) {
      if (letters === 0) start = i;
      letters++;
      // In UTF-16 every other byte of such text is 0.
    } else if (byte !== 0 || letters === 0 || bytes[i - 1] === 0) close(i);
  }
  close(bytes.length);
  return found;
}

const MIN_WHOLE = 6;
/** Shorter ones come about by chance in every long word, and no value fits in them. */
const MIN_STRETCH = 8;
// biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of these
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f]/;
