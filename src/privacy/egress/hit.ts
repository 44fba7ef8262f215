import type { Origin } from '../vault/vault.js';

/** A value that is to be hidden. */
export interface HitValue {
  readonly type: string;
  readonly value: string;
  /** Where it came in, if it was known before. */
  readonly origin?: Origin;
}

/** A stretch of a text that shows values. UTF-16 offsets. */
export interface Hit {
  readonly start: number;
  readonly end: number;
  /** Without one: it cannot be looked into, and is not shown. */
  readonly values: readonly HitValue[];
  /** How the stretch shows them: "base64", "hex". Absent: letter by letter, so tokens can take the place. */
  readonly form?: string;
  /** Further stretches that belong to it (the other lines of a value in pieces): they go, the token stands at the first. */
  readonly rest?: readonly { readonly start: number; readonly end: number }[];
}
