import { createHash } from 'node:crypto';

/** The bytes of a base58 text; undefined when it holds another character. */
export function decodeBase58(text: string, alphabet: string): Uint8Array | undefined {
  const bytes: number[] = [];
  for (const character of text) {
    let carry = alphabet.indexOf(character);
    if (carry === -1) return undefined;
    for (let at = 0; at < bytes.length; at++) {
      carry += (bytes[at] as number) * 58;
      bytes[at] = carry & 255;
      carry >>= 8;
    }
    for (; carry > 0; carry >>= 8) bytes.push(carry & 255);
  }
  for (const character of text) {
    if (character !== alphabet[0]) break;
    bytes.push(0);
  }
  return Uint8Array.from(bytes.reverse());
}

/** True when the last four bytes are the start of the double SHA-256 of the rest. */
export function passesBase58Check(text: string, alphabet = BITCOIN_ALPHABET): boolean {
  const bytes = decodeBase58(text, alphabet);
  if (!bytes || bytes.length < 5) return false;
  const body = bytes.subarray(0, -4);
  const sum = createHash('sha256').update(createHash('sha256').update(body).digest()).digest();
  return bytes.subarray(-4).every((byte, index) => byte === sum[index]);
}

export const BITCOIN_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
export const RIPPLE_ALPHABET = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';
