import { HAS_DIGIT, HAS_LETTER, HAS_LOWER, IS_CAPITAL, IS_FOREIGN, type Words } from '../words.js';
import { foldedHash } from './fold-word.js';
import { COMMON_FAMILY, FAMILY, FREQUENT, GIVEN, type NameList, ORDINARY } from './name-list.js';
import { PARTICLE, PLACE_HEAD, SUFFIX, TITLE, VOCABULARY } from './vocabulary.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** One letter and a dot, or one letter. */
export const IS_INITIAL = 1;
/** `van`, `de`, in small letters. */
export const IS_PARTICLE = 2;
export const IS_ALL_CAPS = 4;
/** A word in small letters is tied to it: `Kafka-based`. */
export const IS_TIED = 8;

/** Parts of a run that are kept; a name has fewer. */
const MOST_PARTS = 10;

/**
 * Words with capital letters that stand side by side, and what is known of each. A part is one word, or several with
 * hyphens or apostrophes: `O'Brien`, `Jean-Pierre`. One object for all runs.
 */
export class CapitalRun {
  count = 0;
  /** Indices of the first word of each part and of the one behind its last. */
  readonly from = new Int32Array(MOST_PARTS);
  readonly to = new Int32Array(MOST_PARTS);
  /** Bits of the list of names. */
  readonly names = new Uint8Array(MOST_PARTS);
  /** Bits of the vocabulary. */
  readonly roles = new Int32Array(MOST_PARTS);
  readonly shapes = new Uint8Array(MOST_PARTS);
  /** UTF-16 units of the first word. */
  readonly lengths = new Int32Array(MOST_PARTS);
  readonly #list: NameList;

  constructor(list: NameList) {
    this.#list = list;
  }

  /** Reads the run that starts at a word with a capital letter; returns the index of the word behind it. */
  read(words: Words, text: string, word: number, last: number): number {
    this.count = 0;
    let next = word;
    for (;;) {
      next = this.#readPart(words, text, next, last);
      const part = this.count - 1;
      if (this.count === MOST_PARTS || next >= last || ((this.shapes[part] as number) & IS_TIED) !== 0) break;
      const gap = this.#gapAllows(words, text, next, part);
      if (!gap) break;
      if (((words.kinds[next] as number) & IS_CAPITAL) !== 0) continue;
      const behind = this.#particles(words, text, next, last);
      if (behind === next) break;
      next = behind;
      if (this.count === MOST_PARTS) break;
    }
    this.#dropTrailingParticles();
    return this.count === 0 ? word + 1 : (this.to[this.count - 1] as number);
  }

  /** `Löser` is not the word `loser`; but `für` and `más`, which every text uses, are listed in plain letters as well. */
  #bitsOf(hash: number, kind: number): number {
    const names = this.#list.bitsOf(hash);
    return (kind & IS_FOREIGN) === 0 || (names & FREQUENT) !== 0 ? names : names & ~ORDINARY;
  }

  #readPart(words: Words, text: string, word: number, last: number): number {
    const part = this.count++;
    const { starts, ends, kinds } = words;
    const hash = plainHash(words, text, word);
    let names = this.#bitsOf(hash, kinds[word] as number);
    let roles = VOCABULARY.bitsOf(hash);
    let shape = 0;
    const length = (ends[word] as number) - (starts[word] as number);
    if (length === 1) {
      shape = IS_INITIAL;
      // `I` and `A` are words unless a dot follows.
      const unit = unitAt.call(text, starts[word] as number);
      names = (unit === 73 || unit === 65) && unitAt.call(text, ends[word] as number) !== DOT ? ORDINARY : 0;
    } else if (
      ((kinds[word] as number) & HAS_LOWER) === 0 &&
      isCased(kinds[word] as number, text, starts[word] as number)
    )
      shape = IS_ALL_CAPS;
    let next = word + 1;
    while (next < last) {
      const at = ends[next - 1] as number;
      if ((starts[next] as number) !== at + 1 || !isTie(unitAt.call(text, at))) break;
      const kind = kinds[next] as number;
      if ((kind & IS_CAPITAL) === 0 || (kind & HAS_DIGIT) !== 0) {
        // `Al-'s` and `Thompson's` end the part; `Kafka-based` is no name.
        if (unitAt.call(text, at) === HYPHEN && !isParticleWord(words, text, next)) shape |= IS_TIED;
        break;
      }
      const tied = this.#bitsOf(plainHash(words, text, next), kind);
      names = joined(names, tied);
      roles = 0;
      shape &= ~IS_INITIAL;
      next++;
    }
    this.from[part] = word;
    this.to[part] = next;
    this.names[part] = names;
    this.roles[part] = roles;
    this.shapes[part] = shape;
    this.lengths[part] = length;
    return next;
  }

  /** True when the characters before `next` may stand inside a name. */
  #gapAllows(words: Words, text: string, next: number, part: number): boolean {
    const at = words.ends[next - 1] as number;
    const length = (words.starts[next] as number) - at;
    if (((words.kinds[next] as number) & HAS_DIGIT) !== 0) return false;
    const unit = unitAt.call(text, at);
    if (length === 1) {
      if (unit === BLANK || unit === NO_BREAK) return true;
      return unit === DOT && ((this.shapes[part] as number) & IS_INITIAL) !== 0;
    }
    if (length === 2 && unit === DOT && unitAt.call(text, at + 1) === BLANK)
      return (
        ((this.shapes[part] as number) & IS_INITIAL) !== 0 ||
        ((this.roles[part] as number) & (TITLE | SUFFIX | PLACE_HEAD)) !== 0
      );
    return false;
  }

  /** Takes in particles when a capital word follows them. */
  #particles(words: Words, text: string, word: number, last: number): number {
    let next = word;
    while (next < last && next - word < MOST_PARTICLES && isParticleWord(words, text, next)) {
      const length = (words.starts[next + 1] as number) - (words.ends[next] as number);
      if (next + 1 >= last || length !== 1) return word;
      const unit = unitAt.call(text, words.ends[next] as number);
      if (unit !== BLANK && unit !== HYPHEN && !isTie(unit)) return word;
      next++;
    }
    if (next === word || next >= last) return word;
    const kind = words.kinds[next] as number;
    if ((kind & IS_CAPITAL) === 0 || (kind & HAS_DIGIT) !== 0) return word;
    for (let at = word; at < next && this.count < MOST_PARTS; at++) {
      const part = this.count++;
      this.from[part] = at;
      this.to[part] = at + 1;
      this.names[part] = 0;
      this.roles[part] = PARTICLE;
      this.shapes[part] = IS_PARTICLE;
    }
    return next;
  }

  #dropTrailingParticles(): void {
    while (this.count > 0 && ((this.shapes[this.count - 1] as number) & IS_PARTICLE) !== 0) this.count--;
  }
}

/** The hash of a word in plain letters. */
export function plainHash(words: Words, text: string, word: number): number {
  return ((words.kinds[word] as number) & IS_FOREIGN) === 0
    ? (words.hashes[word] as number)
    : foldedHash(text, words.starts[word] as number, words.ends[word] as number);
}

/** True for `JavaScript` and `JonathanPLaursen`, false for `McDonald` and `DuBuque`. */
export function isCamelCase(text: string, start: number, end: number): boolean {
  let sawLower = false;
  for (let at = start; at < end; at++) {
    const unit = unitAt.call(text, at);
    const isUpper = unit >= 65 && unit <= 90;
    if (isUpper && sawLower) return at - start > LONGEST_PREFIX || !PREFIXES.has(text.slice(start, at));
    if (unit >= 97 && unit <= 122) sawLower = true;
  }
  return false;
}

/** `Jean-Pierre` is a given name, `Access-Control` none: one plain word makes the whole a word. */
function joined(names: number, tied: number): number {
  if (isPlainWord(names) || isPlainWord(tied)) return ORDINARY;
  const ordinary = names & tied & (ORDINARY | FREQUENT);
  return ((names | tied) & ~(ORDINARY | FREQUENT)) | ordinary;
}

function isPlainWord(names: number): boolean {
  return (names & ORDINARY) !== 0 && (names & (GIVEN | COMMON_FAMILY)) === 0;
}

function isParticleWord(words: Words, text: string, word: number): boolean {
  const length = (words.ends[word] as number) - (words.starts[word] as number);
  return length <= 5 && (VOCABULARY.bitsOf(plainHash(words, text, word)) & PARTICLE) !== 0;
}

/** Scripts without capitals have no capital words; a word of two Latin capitals is one. */
function isCased(kind: number, text: string, start: number): boolean {
  return (kind & HAS_LETTER) !== 0 && unitAt.call(text, start) < 0x530;
}

function isTie(unit: number): boolean {
  return unit === HYPHEN || unit === 39 || unit === 0x2019 || unit === 0x2010;
}

/** The bits that make a word a candidate for a name. */
export const ANY_NAME = GIVEN | FAMILY;
const HYPHEN = 45;
const BLANK = 32;
const NO_BREAK = 160;
const DOT = 46;
const MOST_PARTICLES = 3;
const LONGEST_PREFIX = 4;
const PREFIXES: ReadonlySet<string> = new Set(
  'Mc Mac De Di Du Da La Le Lo Van Von Fitz Mc Del Des Dos El Al Ver Vande Vander St San'.split(' '),
);
