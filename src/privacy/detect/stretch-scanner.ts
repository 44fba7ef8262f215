import { Candidates } from './candidates.js';
import { type CompiledRecords, LENGTHS, MOST_DIGITS, type WakingRecord } from './compile-records.js';
import { decodeEscapes } from './decode-escapes.js';
import { foldText } from './fold-text.js';
import type { KeyPath } from './keys.js';
import type { MappedText } from './mapped-text.js';
import type { NameSession } from './name-finder.js';
import { Stretch } from './stretch.js';
import { TYPE_BIT } from './type-bits.js';
import {
  HAS_DIGIT,
  HAS_UPPER,
  IS_CAPITAL,
  IS_FOREIGN,
  SAW_DISGUISE,
  SAW_ESCAPE,
  WordBuffer,
} from './words.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** Offsets in the text that was given to `scan`. */
export type Found = (start: number, end: number, bit: number) => void;

/** Looks for personal data in one value or one stretch of text at a time. */
export class StretchScanner {
  readonly words: WordBuffer;
  /**
   * Nothing was found in the last text, and nothing ever will be under the same keys: it holds no capital and no letter
   * beyond ASCII, so that no name told elsewhere can be in it.
   */
  isDull = false;
  readonly #compiled: CompiledRecords;
  readonly #names: NameSession | undefined;
  readonly #stretch: Stretch;
  readonly #candidates = new Candidates();

  constructor(compiled: CompiledRecords, names: NameSession | undefined) {
    this.#compiled = compiled;
    this.#names = names;
    this.words = new WordBuffer(compiled.symbols);
    this.#stretch = new Stretch(this.words, compiled.phrases);
  }

  /** Looks at the text between two offsets as one value (or stretch) under these keys. */
  scan(text: string, from: number, to: number, path: KeyPath, isValue: boolean, found: Found): void {
    const { words } = this;
    words.split(text, from, to);
    this.isDull = words.count === 0;
    if (words.count === 0) return;
    const maps = (words.signs & (SAW_DISGUISE | SAW_ESCAPE)) === 0 ? undefined : this.#undisguise();
    const stretch = this.#stretch;
    stretch.isValue = isValue;
    stretch.keys = path.keys;
    stretch.keyBits = path.bits;
    stretch.readContext();
    const candidates = this.#candidates;
    candidates.clear();
    const kinds = this.#wakeByWord();
    if (words.symbolCount > 0) this.#wakeBySymbol();
    this.#names?.find(stretch, this.#emitName);
    if (candidates.count === 0) {
      this.isDull = (kinds & (IS_CAPITAL | HAS_UPPER | IS_FOREIGN)) === 0;
      return;
    }
    candidates.settle((start, end, bit) => {
      if (maps === undefined) found(from + start, from + end, bit);
      else {
        const first = maps.reduce((at, map) => map.sourceStart(at), start);
        const behind = maps.reduce((at, map) => map.sourceEnd(at), end);
        found(from + first, from + behind, bit);
      }
    });
  }

  readonly #emitName = (type: 'PERSON' | 'ADDRESS', start: number, end: number, score: number): void => {
    this.#candidates.add(TYPE_BIT[type], start, end, score);
  };

  /** Wakes the records of all words; returns the kinds of all words together. */
  #wakeByWord(): number {
    const { count, kinds, starts, ends } = this.words;
    const { byWord, byDigits } = this.#compiled;
    /** Digits of the number that the next word goes on with. */
    let digits = 0;
    let all = 0;
    for (let word = 0; word < count; word++) {
      const start = starts[word] as number;
      const length = (ends[word] as number) - start;
      const kind = kinds[word] as number;
      all |= kind;
      let woken: readonly WakingRecord[] | undefined;
      if (kind === HAS_DIGIT) {
        if (digits === 0) digits = this.#digitsFrom(word);
        woken = byDigits[Math.min(length, MOST_DIGITS) * (MOST_DIGITS + 1) + Math.min(digits, MOST_DIGITS)];
        digits -= length;
      } else {
        digits = 0;
        woken = byWord[kind * LENGTHS + (length < LENGTHS ? length : LENGTHS - 1)];
      }
      if (woken === undefined || woken.length === 0) continue;
      this.#ask(woken, word, start);
    }
    return all;
  }

  #ask(woken: readonly WakingRecord[], word: number, at: number): void {
    const stretch = this.#stretch;
    const evidence = stretch.keyBits | stretch.contextAt(word);
    for (let index = 0; index < woken.length; index++) {
      const waking = woken[index] as WakingRecord;
      if ((waking.neededBit & ~evidence) !== 0) continue;
      const found = waking.match(stretch, word, at);
      if (found !== undefined) this.#candidates.add(waking.bit, found.start, found.end, found.score);
    }
  }

  /** The digits of a number from its first word on. */
  #digitsFrom(word: number): number {
    const { count, kinds, starts, ends } = this.words;
    let digits = (ends[word] as number) - (starts[word] as number);
    for (let next = word + 1; next < count && kinds[next] === HAS_DIGIT; next++) {
      const gap = (starts[next] as number) - (ends[next - 1] as number);
      if (gap > LONGEST_JOINT || !this.#isJoint(ends[next - 1] as number, starts[next] as number)) break;
      digits += (ends[next] as number) - (starts[next] as number);
    }
    return digits;
  }

  #isJoint(from: number, to: number): boolean {
    const { text } = this.words;
    for (let at = from; at < to; at++) {
      const unit = unitAt.call(text, at);
      if (unit < 128 && JOINTS[unit] === 0) return false;
    }
    return true;
  }

  #wakeBySymbol(): void {
    const { symbolCount, symbolAt, symbolWord, text } = this.words;
    const { bySymbol } = this.#compiled;
    for (let index = 0; index < symbolCount; index++) {
      const at = symbolAt[index] as number;
      const word = symbolWord[index] as number;
      const woken = bySymbol[unitAt.call(text, at)];
      if (woken !== undefined) this.#ask(woken, word, at);
    }
  }

  /** Splits the decoded and folded text instead; the maps back, the innermost first. */
  #undisguise(): MappedText[] | undefined {
    const { words } = this;
    const maps: MappedText[] = [];
    let text = words.text;
    if ((words.signs & SAW_ESCAPE) !== 0) {
      const decoded = decodeEscapes(text);
      if (decoded) {
        maps.unshift(decoded);
        text = decoded.text;
      }
    }
    if ((words.signs & SAW_DISGUISE) !== 0 || maps.length > 0) {
      const folded = foldText(text);
      maps.unshift(folded);
      text = folded.text;
    }
    if (maps.length === 0) return undefined;
    words.split(text, 0, text.length);
    return maps;
  }
}

/** Characters between two groups of digits of one number. */
const LONGEST_JOINT = 3;
const JOINTS = new Uint8Array(128);
for (const joint of ' -./()_+') JOINTS[unitAt.call(joint, 0)] = 1;
