import type { SealedIndex } from './sealed-index.js';
import { STOP_WORDS } from './stop-words.js';
import { SYNONYMS } from './synonyms.js';
import { VERB_CLASSES } from './verbs.js';
import type { Weights } from './weights.js';
import type { WordSplitter } from './words.js';

/** One idea of a query: a word and what may stand for it. */
export interface Concept {
  /** As it was written, for messages. */
  readonly written: string;
  readonly stem: string;
  /** 0 to 1: how much the query's author leans on it. */
  readonly weight: number;
  /** Word numbers of the index, with the share of the concept's worth that each carries. */
  readonly variants: readonly (readonly [word: number, worth: number])[];
  /** What a match is worth at most. */
  readonly worth: number;
}

export interface Query {
  readonly concepts: readonly Concept[];
  /** Numbers of neighbouring words, as `first * 2 ** 26 + second`. */
  readonly pairs: ReadonlySet<number>;
  readonly verbs: number;
  readonly clauses: number;
}
