import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { normalForm } from './normal-form.js';

/** Values remembered at most; the oldest go first, and are hidden from then on. */
const MAX_SENT = 100_000;

/**
 * What the agent itself sent, as keyed hashes: it may see these values, and nobody can read them here. In memory only.
 * A 32-bit hash goes before the HMAC, for every value that is found anywhere is asked about and an HMAC costs 3 us.
 */
export class SentValues {
  readonly #key = randomBytes(32);
  readonly #seed = randomInt(2 ** 32);
  /** HMACs by the 32-bit hash of the same text, the oldest first. */
  readonly #macs = new Map<number, string[]>();
  #count = 0;

  add(type: string, value: string): void {
    this.#remember(exact(value));
    this.#remember(normal(type, value));
    for (const [hash, macs] of this.#macs) {
      if (this.#count <= 2 * MAX_SENT) break;
      this.#macs.delete(hash);
      this.#count -= macs.length;
    }
  }

  /** With a type also other spellings of a value are known. */
  has(value: string, type?: string): boolean {
    if (this.#count === 0) return false;
    return this.#knows(exact(value)) || (type !== undefined && this.#knows(normal(type, value)));
  }

  clear(): void {
    this.#macs.clear();
    this.#count = 0;
    this.#key.fill(0);
    this.#key.set(randomBytes(32));
  }

  #remember(text: string): void {
    if (this.#knows(text)) return;
    const hash = this.#hash(text);
    this.#macs.set(hash, [...(this.#macs.get(hash) ?? []), this.#mac(text)]);
    this.#count += 1;
  }

  #knows(text: string): boolean {
    return this.#macs.get(this.#hash(text))?.includes(this.#mac(text)) ?? false;
  }

  #mac(text: string): string {
    // UTF-16, for in UTF-8 all lone surrogates are one.
    return createHmac('sha256', this.#key).update(text, 'utf16le').digest('base64').slice(0, 24);
  }

  #hash(text: string): number {
    let hash = this.#seed;
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    return hash;
  }
}

function exact(value: string): string {
  return `=${value}`;
}

function normal(type: string, value: string): string {
  return `${type}:${normalForm(type, value)}`;
}
