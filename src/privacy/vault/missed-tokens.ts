import type { TokenScanner } from './token-scanner.js';
import type { NotRestored } from './vault.js';

/** Unknown tokens listed for one text: a text may be made of them. */
const MAX_UNKNOWN = 1_000;
/** Numbers judged together; see NumberCipher. */
const NUMBERS_AT_ONCE = 4096;

/** The keys of a vault, as far as they tell tokens of values that are gone from tokens that never were. */
export interface IssuedTokens {
  /** All counters below were given out, or will not be. */
  readonly issued: number;
  /** Whether the keys gave out the text token that the scanner has found. Asked for counters below `issued` only. */
  isGenuine(scanner: TokenScanner): boolean;
  countersOf(numbers: readonly number[]): number[];
}

/** What looked like a token and has no value: expired when the keys say that it was one. */
export class MissedTokens {
  readonly #issued: IssuedTokens;
  readonly #reasons = new Map<string, 'unknown' | 'expired'>();
  readonly #numbers = new Set<number>();
  #unknown = 0;
  #latest: string | undefined;

  constructor(issued: IssuedTokens) {
    this.#issued = issued;
  }

  /** What the scanner has found. */
  add(scanner: TokenScanner): void {
    if (scanner.isNumber) {
      this.#numbers.add(scanner.number);
      if (this.#numbers.size >= NUMBERS_AT_ONCE) this.#judgeNumbers();
      return;
    }
    const isExpired = scanner.counter < this.#issued.issued && this.#issued.isGenuine(scanner);
    this.#latest = undefined;
    if (!isExpired && this.#unknown === MAX_UNKNOWN) return;
    const token = scanner.token();
    if (this.#reasons.has(token)) return;
    if (!isExpired) this.#unknown += 1;
    this.#reasons.set(token, isExpired ? 'expired' : 'unknown');
    this.#latest = token;
  }

  /** A token was found inside the latest one that was added: `PIIPIIEMAIL...` is a token behind three letters. */
  retract(): void {
    if (this.#latest !== undefined && this.#reasons.delete(this.#latest)) this.#unknown -= 1;
    this.#latest = undefined;
  }

  /** Numbers that never were tokens are ordinary numbers and not listed. */
  list(): NotRestored[] {
    this.#judgeNumbers();
    return Array.from(this.#reasons, ([token, reason]) => ({ token, reason }));
  }

  #judgeNumbers(): void {
    const numbers = [...this.#numbers];
    this.#numbers.clear();
    if (numbers.length === 0) return;
    for (const [index, counter] of this.#issued.countersOf(numbers).entries())
      if (counter < this.#issued.issued) this.#reasons.set(String(numbers[index]), 'expired');
  }
}
