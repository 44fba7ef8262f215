import type { Situation } from './record.js';

/** Finds people and postal addresses: by lists of names, by keys, by what stands around. */
export interface NameFinder {
  /** What `keySays` and `contextSays` of a situation answer to, in the form of `DetectorRecord`. */
  readonly evidence: Readonly<Record<'PERSON' | 'ADDRESS', Evidence>>;
  begin(): NameSession;
}

/** Lives as long as a detection, so that a first name alone is found after the full name. */
export interface NameSession {
  /**
   * Called once for each value or stretch of text.
   *
   * @param emit takes UTF-16 offsets in `situation.words.text` and a score as in `Match`: 50 and more is reported.
   */
  find(
    situation: Situation,
    emit: (type: 'PERSON' | 'ADDRESS', start: number, end: number, score: number) => void,
  ): void;
}

export interface Evidence {
  readonly keys: readonly string[];
  readonly context: readonly string[];
}
