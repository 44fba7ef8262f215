import { lettersOf } from './token-text.js';
import type { Origin, TokenUse } from './vault.js';

/** What has to be known to make sense of a token. */
export interface KeptValue {
  readonly type: string;
  /** A number of JSON has a number for a token. */
  readonly isNumber: boolean;
  readonly counter: number;
  /** 0 to 9: which spelling of the value; 0 for a number. */
  readonly spelling: number;
  /** As it was written. */
  readonly value: string;
  readonly origins: readonly Origin[];
  /** Seconds since 1970. */
  readonly usedAt: number;
}

/**
 * A value in memory. A restored text has ten thousand tokens in a megabyte, each of another entry, and memory is what that
 * takes: so what a token is compared with are small integers in here, and what is told of it is made once.
 */
export class Entry implements KeptValue {
  readonly isNumber: boolean;
  readonly counter: number;
  readonly spelling: number;
  readonly value: string;
  /** Of the letters of the type in the token. */
  readonly lettersHash: number;
  usedAt: number;
  /** `usedAt` as it stands on disk, or will soon. */
  storedAt: number;
  /** Number of the segment with its newest record; -1 for none. */
  segment: number;
  /** The other spellings of the counter. */
  sibling: Entry | undefined = undefined;
  /** The call of `restore` that last decided about it, and the decision. */
  decidedIn = 0;
  isAllowed = false;
  /** May be told to anyone who may see the token. */
  use: TokenUse;

  /** @param tag of the counter; -1 for a number. */
  constructor(
    kept: KeptValue,
    token: string,
    readonly tag: number,
    segment: number,
  ) {
    this.isNumber = kept.isNumber;
    this.counter = kept.counter;
    this.spelling = kept.spelling;
    this.value = kept.value;
    this.lettersHash = lettersOf(kept.type).hash;
    this.usedAt = kept.usedAt;
    this.storedAt = kept.usedAt;
    this.segment = segment;
    this.use = { token, type: kept.type, origins: kept.origins };
  }

  get token(): string {
    return this.use.token;
  }

  get type(): string {
    return this.use.type;
  }

  get origins(): readonly Origin[] {
    return this.use.origins;
  }

  /** False when it was known. */
  addOrigin(origin: Origin): boolean {
    for (const known of this.use.origins) if (isSame(known, origin)) return false;
    this.use = { ...this.use, origins: [...this.use.origins, origin] };
    return true;
  }
}

function isSame(a: Origin, b: Origin): boolean {
  if (a === b) return true;
  return a.kind === 'agent' ? b.kind === 'agent' : b.kind === 'tool' && a.server === b.server;
}
