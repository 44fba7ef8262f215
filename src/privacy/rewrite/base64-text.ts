import { isUtf8 } from 'node:buffer';

/** A text inside base64, and how to write it back as it was written: alphabet, padding, line length. */
export interface Base64Text {
  readonly text: string;
  encode(text: string): string;
}

/** The UTF-8 text that a whole string is the base64 of; undefined: it is no base64, or what it holds is no text. */
export function base64Text(base64: string): Base64Text | undefined {
  if (base64.length < MIN_LENGTH || !WHOLE.test(base64)) return undefined;
  const lines = base64.includes('\n');
  const compact = lines ? base64.replace(/\s+/g, '') : base64;
  if (compact.replace(/=+$/, '').length % 4 === 1) return undefined;
  const bytes = Buffer.from(compact, 'base64');
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString('utf8');
  if (CONTROL.test(text)) return undefined;
  const width = lines ? base64.search(/[\r\n]/) : 0;
  const newline = base64.includes('\r\n') ? '\r\n' : '\n';
  const isUrlSafe = /[-_]/.test(compact);
  return {
    text,
    encode(changed) {
      const encoded = Buffer.from(changed, 'utf8').toString(isUrlSafe ? 'base64url' : 'base64');
      if (width === 0) return encoded;
      const wrapped = encoded.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
      return wrapped.join(newline) + (base64.endsWith('\n') ? newline : '');
    },
  };
}

/** Nothing shorter holds a value that is worth finding (8 bytes). */
const MIN_LENGTH = 11;
// One class each: alternatives would keep a way back for every character, and 40 MB of them overflow the stack.
const WHOLE = /^[A-Za-z0-9+/\r\n]+={0,2}\s*$|^[A-Za-z0-9_\r\n-]+={0,2}\s*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of these
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f]/;
