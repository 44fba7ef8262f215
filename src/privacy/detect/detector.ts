import type { PiiType } from '../../core/pii.js';

/** A place in a text that holds personal data. Offsets in UTF-16 code units of the text that was given. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  /** A {@link PiiType}, or a kind that the operator added. */
  readonly type: string;
}

/**
 * Looks through one document: an answer, a result, a file. What is learnt in one part of it (a full name) counts in
 * the others (the first name alone).
 */
export interface Detection {
  /** Text of any form: prose, JSON, JSON in strings, CSV, `key: value`, mail, logs. Findings in order, none overlap. */
  inText(text: string): readonly Finding[];
  /** A string that stands in a structure under these keys, the outermost first (`["customer", "email"]`). */
  inValue(text: string, keys: readonly string[]): readonly Finding[];
  /** A number of a structure as it was written; the type if the whole number is personal data. */
  inNumber(lexeme: string, keys: readonly string[]): string | undefined;
}

export interface Detector {
  /** @param types what is looked for; the rest is not reported. */
  begin(types: ReadonlySet<PiiType>): Detection;
}
