import type { Origin } from '../vault/vault.js';
import type { KnownHit } from './known-values.js';

/**
 * Values with fewer than 8 letters and digits: found only as they are written, where words begin and end. Values of less
 * than 4 letters and digits, and numbers of less than 6 digits, are not looked for at all: a pin of 1984 would hide a year.
 */
export class ShortValues {
  /** By their first word. */
  readonly #byWord = new Map<string, KnownHit['known'][]>();

  add(type: string, value: string, origin: Origin): void {
    const word = FIRST_WORD.exec(value)?.[0];
    const size = value.replace(/[^\p{L}\p{N}]/gu, '').length;
    if (word === undefined || size < MIN_LENGTH || (/^[\d\W]+$/.test(value) && size < MIN_DIGITS)) return;
    const same = this.#byWord.get(word);
    if (same === undefined) this.#byWord.set(word, [{ type, value, origin }]);
    else if (same.length < MAX_ALIKE) same.push({ type, value, origin });
  }

  find(text: string): KnownHit[] {
    const hits: KnownHit[] = [];
    if (this.#byWord.size === 0) return hits;
    for (const { 0: word, index } of text.matchAll(WORD)) {
      for (const known of this.#byWord.get(word) ?? []) {
        const start = index - known.value.indexOf(word);
        const end = start + known.value.length;
        if (start < 0 || !text.startsWith(known.value, start)) continue;
        if (isLetterOrDigit(text.charAt(start - 1)) || isLetterOrDigit(text.charAt(end))) continue;
        hits.push({ start, end, known });
      }
    }
    return hits;
  }

  clear(): void {
    this.#byWord.clear();
  }
}

function isLetterOrDigit(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}

const WORD = /[\p{L}\p{N}]+/gu;
const FIRST_WORD = /[\p{L}\p{N}]+/u;
const MIN_LENGTH = 4;
const MIN_DIGITS = 6;
/** Values that begin with the same word. */
const MAX_ALIKE = 50;
