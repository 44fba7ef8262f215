import { createHash } from 'node:crypto';
import { CodeExecutionError } from './errors.js';

/** Longest folder name for a principal; longer ones become a hash. */
const MAX_ENCODED = 120;

/**
 * The folder name of a principal: one-to-one, also where disks fold case, and never `.`, `..`, hidden or a device name
 * of Windows. Lower-case letters, digits, `-` and `_` stay; every other byte of its UTF-8 becomes `~` and two hex digits;
 * what gets too long, or has no UTF-8, becomes `~~` and its SHA-256.
 * @throws CodeExecutionError `bad_name` for an empty principal.
 */
export function folderOfPrincipal(principal: string): string {
  if (principal === '') throw new CodeExecutionError('bad_name', 'The name of the caller is empty.');
  const encoded = Array.from(Buffer.from(principal, 'utf8'), encodeByte).join('');
  if (/\p{Surrogate}/u.test(principal) || encoded.length > MAX_ENCODED) {
    return `~~${createHash('sha256').update(Buffer.from(principal, 'utf16le')).digest('hex')}`;
  }
  if (/^(con|prn|aux|nul|com\d|lpt\d)$/.test(encoded))
    return encodeHex(encoded.charCodeAt(0)) + encoded.slice(1);
  return encoded;
}

function encodeByte(byte: number): string {
  const char = String.fromCharCode(byte);
  return /[a-z0-9_-]/.test(char) ? char : encodeHex(byte);
}

function encodeHex(byte: number): string {
  return `~${byte.toString(16).padStart(2, '0')}`;
}
