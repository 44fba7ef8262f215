import type { PiiType } from '../../core/pii.js';
import { isPhraseAt, type Phrase, type Phrases } from './phrases.js';
import type { Situation } from './record.js';
import { TYPE_BIT } from './type-bits.js';
import { IS_CAPITAL, type WordBuffer } from './words.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** Words before a value that may speak of it, and words behind it. */
const REACH_AHEAD = 8;
const REACH_BACK = 4;

/** What is being looked at; one object for all stretches of a detection, filled anew for each. */
export class Stretch implements Situation {
  readonly words: WordBuffer;
  isValue = false;
  keys: readonly string[] = [];
  keyBits = 0;
  /** Types that any word of the stretch speaks of. */
  contextBits = 0;
  readonly #phrases: Phrases;
  #context = new Uint32Array(64);

  constructor(words: WordBuffer, phrases: Phrases) {
    this.words = words;
    this.#phrases = phrases;
  }

  keySays(type: PiiType): boolean {
    return this.keyBits !== 0 && (this.keyBits & TYPE_BIT[type]) !== 0;
  }

  contextSays(type: PiiType, word: number): boolean {
    return this.contextBits !== 0 && (this.contextAt(word) & TYPE_BIT[type]) !== 0;
  }

  /** Bits of the types that words around this word speak of. */
  contextAt(word: number): number {
    if (this.contextBits === 0 || word >= this.words.count) return 0;
    return this.#context[word] as number;
  }

  /** Looks for context in the words as they are now. */
  readContext(): void {
    const { words } = this;
    const { count, hashes } = words;
    this.contextBits = 0;
    for (let word = 0; word < count; word++) {
      const phrases = this.#phrases.startingWith(hashes[word] as number);
      if (phrases === undefined) continue;
      for (const phrase of phrases)
        if (isPhraseAt(phrase, words, word)) this.#spread(phrase, word, word + phrase.words.length);
    }
  }

  /** Marks the words that a phrase from one word to another speaks of. */
  #spread(phrase: Phrase, word: number, next: number): void {
    const bits = phrase.boundBits !== 0 && this.#isLabel(next) ? phrase.bits | phrase.boundBits : phrase.bits;
    if (bits === 0) return;
    if (this.contextBits === 0) this.#clear();
    this.contextBits |= bits;
    const { count } = this.words;
    const ahead = Math.min(count, next + REACH_AHEAD);
    for (let at = next; at < ahead && !this.#breaksBefore(at); at++) this.#add(at, bits);
    const back = Math.max(0, word - REACH_BACK);
    for (let at = word - 1; at >= back && !this.#breaksBefore(at + 1); at--) this.#add(at, bits);
  }

  #add(word: number, bits: number): void {
    this.#context[word] = (this.#context[word] as number) | bits;
  }

  #clear(): void {
    const { count } = this.words;
    if (this.#context.length < count) this.#context = new Uint32Array(count * 2);
    else this.#context.fill(0, 0, count);
  }

  /** True when a `:` or `=` follows the words before `next`, but for quotes and blanks. */
  #isLabel(next: number): boolean {
    const { text, ends } = this.words;
    let at = ends[next - 1] as number;
    for (const limit = at + LABEL_REACH; at < limit && at < text.length; at++) {
      const unit = unitAt.call(text, at);
      if (unit === 58 /* : */ || unit === 61 /* = */) return true;
      if (!LABEL_END.includes(text.charAt(at))) return false;
    }
    return false;
  }

  /** True when a sentence or line ends between this word and the one before it. */
  #breaksBefore(word: number): boolean {
    const { text, starts, ends, kinds } = this.words;
    const from = ends[word - 1] as number;
    const to = starts[word] as number;
    if (to - from === 1) return unitAt.call(text, from) === 10;
    if (to - from > MAX_GAP) return true;
    let isLabelled = false;
    for (let at = from; at < to; at++) {
      const unit = unitAt.call(text, at);
      if (unit === 58 /* : */ || unit === 61 /* = */ || unit === 63 /* ? */) isLabelled = true;
      else if (unit === 10 && !isLabelled) return true;
      else if (unit === 46 /* . */ || unit === 33 /* ! */) {
        const followed = at + 1 < to && unitAt.call(text, at + 1) <= 32;
        // `No. 12`, `acct. no.`: what is short, or goes on in lower case, is an abbreviation.
        const isLong = from - (starts[word - 1] as number) > 3;
        if (followed && isLong && ((kinds[word] as number) & IS_CAPITAL) !== 0 && isSentence(text, to))
          return true;
      }
    }
    return false;
  }
}

const LABEL_REACH = 4;
const LABEL_END = ' "\')]*`';
/** More characters than this between two words, and they do not belong together. */
const MAX_GAP = 40;

/** A capital and then a small letter or a blank begins a sentence; `A1234567` does not. */
function isSentence(text: string, at: number): boolean {
  const unit = unitAt.call(text, at + 1);
  return unit === 32 || (unit >= 97 && unit <= 122) || unit > 127;
}
