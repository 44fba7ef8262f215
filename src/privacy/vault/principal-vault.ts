import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { CodeExecutionError } from '../../core/errors.js';
import { Entries } from './entries.js';
import { Entry, type KeptValue } from './entry.js';
import type { IssuedTokens } from './missed-tokens.js';
import { normalForm } from './normal-form.js';
import { NumberCipher } from './number-cipher.js';
import { type PrincipalKeys, randomKeys } from './principal-keys.js';
import type { PrincipalStore } from './principal-store.js';
import { findTokens, type LookUp, restoreText } from './restore-text.js';
import type { SealedFrame } from './sealed-frame.js';
import { SentValues } from './sent-values.js';
import { looksLikeToken, TokenScanner } from './token-scanner.js';
import { TokenTags } from './token-tags.js';
import { COUNTERS, lettersOf, writeToken } from './token-text.js';
import type { FoundToken, Origin, RestoredText, TokenUse, Vault } from './vault.js';

/** UTF-16 units; nothing that is personal data of one person is longer. */
export const MAX_VALUE_CHARS = 1_000_000;
/** Times of use are written to disk when they have moved on by this share of the time to live. */
const TOUCH_SHARE = 1 / 8;
/** How often new values look whether another process has erased the principal; restoring looks every time. */
const ERASURE_LOOK_MS = 500;
/** Frames read from disk in one turn of the event loop. */
const FRAMES_PER_TURN = 20;

export interface PrincipalVaultOptions {
  /** Opens what is kept of this principal. Absent: nothing is. Called again after an erasure. */
  readonly openStore?: () => PrincipalStore;
  readonly ttlMs: number;
  readonly maxValues: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** The vault of one principal. Values lie in private fields only, out of reach of `inspect` and JSON. */
export class PrincipalVault implements Vault {
  readonly #options: PrincipalVaultOptions;
  /** Seconds. */
  readonly #ttl: number;
  readonly #entries = new Entries();
  readonly #sent = new SentValues();
  readonly #valueListeners: ((type: string, value: string) => void)[] = [];
  readonly #erasedListeners: (() => void)[] = [];
  #store: PrincipalStore | undefined;
  #keys: PrincipalKeys;
  #tags: TokenTags;
  #numbers: NumberCipher;
  /** In memory only; on disk the store gives them out. */
  #nextCounter = 0;
  #lookedForErasure = performance.now();
  #isClosed = false;

  private constructor(options: PrincipalVaultOptions) {
    this.#options = options;
    this.#ttl = Math.ceil(options.ttlMs / 1000);
    this.#store = options.openStore?.();
    this.#keys = this.#store?.keys ?? randomKeys();
    this.#tags = new TokenTags(this.#keys.tag);
    this.#numbers = new NumberCipher(this.#keys.number);
  }

  /** With everything that was kept. @throws CodeExecutionError `config_error` when the keys do not fit. */
  static async open(options: PrincipalVaultOptions): Promise<PrincipalVault> {
    const vault = new PrincipalVault(options);
    let frames = 0;
    for (const { values, segment } of vault.#news()) {
      vault.#take(values, segment);
      frames += 1;
      if (frames % FRAMES_PER_TURN === 0) await yieldToLoop();
    }
    vault.#makeRoom();
    return vault;
  }

  tokenOf(type: string, value: string, origin: Origin): string {
    return this.#tokenOf(type, value, false, origin);
  }

  numberTokenOf(type: string, lexeme: string, origin: Origin): string {
    return this.#tokenOf(type, lexeme, true, origin);
  }

  addSent(type: string, value: string): void {
    this.#sent.add(type, value);
  }

  wasSent(value: string, type?: string): boolean {
    return this.#sent.has(value, type);
  }

  restore(text: string, may: (use: TokenUse) => boolean): RestoredText {
    const scanner = new TokenScanner(text);
    if (!scanner.next()) return { text, restored: [], notRestored: [] };
    const now = this.#begin(0);
    const decide = (entry: Entry) => {
      if (!may(entry.use)) return false;
      this.#touch(entry, now);
      return true;
    };
    return restoreText(text, scanner, this.#lookUp(now), decide, this.#issuedTokens());
  }

  mayHoldToken(text: string): boolean {
    return looksLikeToken(text);
  }

  tokensIn(text: string): readonly FoundToken[] {
    const scanner = new TokenScanner(text, true);
    if (!scanner.next()) return [];
    return findTokens(scanner, this.#lookUp(this.#begin(0)));
  }

  onValue(listener: (type: string, value: string) => void): void {
    this.#valueListeners.push(listener);
    for (const { type, value } of this.#entries.all()) listener(type, value);
  }

  onErased(listener: () => void): void {
    this.#erasedListeners.push(listener);
  }

  counts(): Readonly<Record<string, number>> {
    return this.#entries.counts();
  }

  /** Erases what expired, in memory and on disk. */
  async sweep(): Promise<void> {
    if (this.#isClosed) return;
    const now = this.#begin(0);
    const expire = () => {
      this.#readNews();
      for (const entry of this.#entries.all()) if (this.#isExpired(entry, now)) this.#remove(entry);
    };
    if (this.#store === undefined) expire();
    else await this.#store.compact(expire, () => this.#entries.all(), (now - this.#ttl) * 1000);
  }

  async flush(): Promise<void> {
    await this.#store?.flush();
  }

  /** Memory forgets everything; what is kept stays on disk. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await (this.#store?.close() ?? this.#keys.erase());
    this.#wipe();
  }

  /** Starts with new keys and no values. What is on disk was erased before. */
  erase(): void {
    if (this.#isClosed) return;
    if (this.#store === undefined) this.#keys.erase();
    else void this.#store.abandon(true);
    this.#wipe();
    // Until there are new keys every call comes here again: the old ones are zero.
    this.#lookedForErasure = Number.NEGATIVE_INFINITY;
    this.#store = this.#options.openStore?.();
    this.#keys = this.#store?.keys ?? randomKeys();
    this.#tags = new TokenTags(this.#keys.tag);
    this.#numbers = new NumberCipher(this.#keys.number);
    this.#nextCounter = 0;
    this.#lookedForErasure = performance.now();
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `PrincipalVault ${JSON.stringify(this.counts())}`;
  }

  #tokenOf(type: string, value: string, isNumber: boolean, origin: Origin): string {
    const now = this.#begin(ERASURE_LOOK_MS);
    const known = this.#entries.byValue(type, value, isNumber);
    if (known !== undefined && !this.#isExpired(known, now)) {
      if (known.addOrigin(origin)) this.#store?.enqueue(known);
      this.#touch(known, now);
      return known.token;
    }
    if (known !== undefined) this.#remove(known);
    return this.#issue(type, value, isNumber, origin, now).token;
  }

  #issue(type: string, value: string, isNumber: boolean, origin: Origin, now: number): Entry {
    if (value.length > MAX_VALUE_CHARS)
      throw new CodeExecutionError(
        'too_large',
        `A value of type ${type} has ${value.length} characters; a token stands for at most ${MAX_VALUE_CHARS}.`,
        'Split the text, or leave the value out.',
      );
    const normal = isNumber ? value : normalForm(type, value);
    const { counter, spelling } = (isNumber ? undefined : this.#entries.nextSpelling(type, normal)) ?? {
      counter: this.#takeCounter(),
      spelling: 0,
    };
    const kept: KeptValue = { type, isNumber, counter, spelling, value, origins: [origin], usedAt: now };
    const entry = this.#entryOf(kept, -1);
    this.#entries.add(entry, normal, true);
    this.#store?.enqueue(entry);
    this.#makeRoom();
    for (const listener of this.#valueListeners) listener(type, value);
    return entry;
  }

  #entryOf(kept: KeptValue, segment: number): Entry {
    const { type, isNumber, counter, spelling } = kept;
    if (isNumber) return new Entry(kept, this.#numbers.tokenOf(counter), -1, segment);
    const tag = this.#tags.of(counter);
    return new Entry(kept, writeToken(lettersOf(type).letters, spelling, counter, tag), tag, segment);
  }

  #takeCounter(): number {
    const counter = this.#store === undefined ? this.#nextCounter++ : this.#store.takeCounter();
    if (counter < COUNTERS) return counter;
    throw new CodeExecutionError(
      'internal',
      'The vault of this caller has given out all its tokens. Erase it with "code-execution-mcp privacy forget".',
    );
  }

  #issuedTokens(): IssuedTokens {
    return {
      issued: this.#store?.issued ?? this.#nextCounter,
      isGenuine: ({ counter, tag, lettersHash }) => {
        const entry = this.#entries.at(counter);
        if (entry === undefined) return this.#tags.of(counter) === tag;
        return entry.tag === tag && entry.lettersHash === lettersHash;
      },
      countersOf: (numbers) => this.#numbers.countersOf(numbers),
    };
  }

  /** The time of this call, in seconds since 1970. Looks whether the principal was erased meanwhile, unless that was done in the last `lookMs`. */
  #begin(lookMs: number): number {
    if (this.#isClosed) throw new CodeExecutionError('internal', 'The vault is closed.');
    const tick = performance.now();
    if (this.#store !== undefined && tick - this.#lookedForErasure >= lookMs) {
      this.#lookedForErasure = tick;
      if (this.#store.isErased()) this.erase();
    }
    return this.#now();
  }

  #now(): number {
    return Math.floor(this.#options.clock() / 1000);
  }

  /** A token that is not here may be another process's: the disk is read again, once a call. */
  #lookUp(now: number): LookUp {
    let hasRead = false;
    const inMemory = (scanner: TokenScanner) => {
      const entry = this.#entryAt(scanner);
      return entry === undefined || this.#isExpired(entry, now) ? undefined : entry;
    };
    return (scanner) => {
      const entry = inMemory(scanner);
      if (entry !== undefined || hasRead) return entry;
      hasRead = true;
      this.#readNews();
      return inMemory(scanner);
    };
  }

  #entryAt(scanner: TokenScanner): Entry | undefined {
    if (scanner.isNumber) return this.#entries.byNumber(scanner.number);
    const entry = this.#entries.byId(scanner.counter, scanner.spelling);
    return entry?.tag === scanner.tag && entry.lettersHash === scanner.lettersHash ? entry : undefined;
  }

  #readNews(): void {
    for (const { values, segment } of this.#news()) this.#take(values, segment);
    this.#makeRoom();
  }

  #news(): Iterable<{ values: KeptValue[]; segment: number }> {
    return this.#store?.read((frame) => this.#isKnown(frame)) ?? [];
  }

  /** All its values are in memory, with a time of use about as new: not worth opening. */
  #isKnown({ ids, usedAt }: SealedFrame): boolean {
    if (this.#entries.size === 0) return false;
    return ids.every(({ counter, spelling }) => {
      const entry = this.#entries.byId(counter, spelling);
      return entry !== undefined && usedAt <= entry.usedAt + this.#ttl * TOUCH_SHARE;
    });
  }

  #take(values: readonly KeptValue[], segment: number): void {
    const now = this.#now();
    for (const kept of values) {
      const known = this.#entries.byId(kept.counter, kept.spelling);
      if (known !== undefined) {
        for (const origin of kept.origins) known.addOrigin(origin);
        const isNewer = kept.usedAt > known.storedAt;
        this.#store?.noteGarbage(isNewer ? known.segment : segment);
        if (!isNewer) continue;
        known.usedAt = Math.max(known.usedAt, kept.usedAt);
        known.storedAt = kept.usedAt;
        known.segment = segment;
      } else if (this.#isExpired(kept, now)) {
        this.#store?.noteGarbage(segment);
      } else {
        const normal = kept.isNumber ? kept.value : normalForm(kept.type, kept.value);
        this.#entries.add(this.#entryOf(kept, segment), normal, false);
        for (const listener of this.#valueListeners) listener(kept.type, kept.value);
      }
    }
  }

  #isExpired({ usedAt }: KeptValue, now: number): boolean {
    return now - usedAt > this.#ttl;
  }

  #touch(entry: Entry, now: number): void {
    if (now <= entry.usedAt) return;
    entry.usedAt = now;
    if (now - entry.storedAt <= this.#ttl * TOUCH_SHARE) return;
    entry.storedAt = now;
    this.#store?.enqueue(entry);
  }

  #makeRoom(): void {
    const { maxValues } = this.#options;
    if (this.#entries.size <= maxValues) return;
    for (const entry of this.#entries.oldest(maxValues)) this.#remove(entry);
  }

  #remove(entry: Entry): void {
    this.#entries.remove(entry);
    this.#store?.drop(entry);
  }

  #wipe(): void {
    this.#entries.clear();
    this.#sent.clear();
    for (const listener of this.#erasedListeners) listener();
  }
}
