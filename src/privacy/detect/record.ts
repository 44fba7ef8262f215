import type { PiiType } from '../../core/pii.js';
import type { Words } from './words.js';

/** One value of a structure, or one stretch of free text, with what is known about it from outside. */
export interface Situation {
  readonly words: Words;
  /** The text (`words.text`, from its first to its last character) is the whole value of a cell or a key. */
  readonly isValue: boolean;
  /** Keys of the value, the outermost first, as lower-case words joined by a blank: `['customer', 'first name']`. */
  readonly keys: readonly string[];
  /** True when the key (or column, or label) of the value speaks of this type. */
  keySays(type: PiiType): boolean;
  /**
   * True when one of the type's context words (or keys, as in `key: value` and `key=value`) stands in the same sentence
   * or line, at most 8 words before the word or 4 words behind it. Costs nothing.
   */
  contextSays(type: PiiType, word: number): boolean;
}

export interface Match {
  /** UTF-16 offsets in `words.text`. */
  readonly start: number;
  readonly end: number;
  /** 0 to 100: 50 and more is reported; of overlapping matches the higher, then the longer one stays. */
  readonly score: number;
}

/** What wakes a record: a word with all bits of `has` and none of `lacks`, or a character that is no part of a word. */
export type Trigger =
  | {
      readonly kind: 'word';
      readonly has: number;
      readonly lacks: number;
      readonly minLength?: number;
      readonly maxLength?: number;
      /**
       * Only for words of digits: the fewest digits of the number that begins with the word, which goes on over words
       * of digits with blanks, `-`, `.`, `/` or brackets between. Most numbers of a text are short.
       */
      readonly minDigits?: number;
    }
  /** `word` is then the index of the first word that starts behind the character. */
  | { readonly kind: 'symbol'; readonly symbols: string };

/** One kind of one type of personal data. A file holds one record, and its examples are its test. */
export interface DetectorRecord {
  readonly type: PiiType;
  /** Where the format or the check digit is defined. */
  readonly source: string;
  readonly trigger: Trigger;
  /** Only called where the key or the context speaks of the type: nothing is spent on all other numbers of a text. */
  readonly needsEvidence?: true;
  /** Words and phrases, lower case, that speak of the type in free text, in any language. */
  readonly context?: readonly string[];
  /** Keys and column names that speak of it: lower case, words joined by a blank ("date of birth", "dob"). */
  readonly keys?: readonly string[];
  /**
   * Looks around the trigger. Linear in what it looks at, and that is bounded by a constant: it is called for every
   * trigger, so a scan to the end of the text would be quadratic.
   */
  match(situation: Situation, word: number, at: number): Match | undefined;
  /** Text, optionally its key, and what must be found in it. */
  readonly examples: readonly Example[];
  /** Texts in which this record must find nothing. */
  readonly counterExamples: readonly (string | { readonly text: string; readonly key: string })[];
}

export interface Example {
  readonly text: string;
  readonly key?: string;
  readonly found: string;
}
