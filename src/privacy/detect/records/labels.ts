import { HAS_DIGIT, hashOfWord, splitWords, type Words } from '../words.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/**
 * Names of a kind of value ("passport", "driver s licence"): whether one stands directly at a value, with nothing but
 * filler between ("passport number is X", "X es mi pasaporte"). Stricter than a context word within the sentence: what
 * has no shape of its own needs it.
 */
export class Labels {
  readonly #byLast = new Map<number, Uint32Array[]>();
  readonly #byFirst = new Map<number, Uint32Array[]>();

  constructor(phrases: readonly string[]) {
    for (const phrase of phrases) {
      const words = splitWords(phrase);
      const hashes = words.hashes.slice(0, words.count);
      add(this.#byLast, hashes.at(-1), hashes);
      add(this.#byFirst, hashes.at(0), hashes);
    }
  }

  /** Whether a label leads to the word: at most 6 words before it, none but filler and earlier values of a list between. */
  before(words: Words, word: number): boolean {
    let lists = true;
    for (let at = word - 1; at >= 0 && at >= word - REACH; at--) {
      if (!joined(words, at, at + 1 < word)) return false;
      if (this.endsAt(words, at)) return true;
      if (isFiller(words, at)) continue;
      if (at === word - 1 && isCountry(words, at)) lists = false;
      else if (!lists || !hasDigit(words, at) || !isList(words, at)) return false;
    }
    return false;
  }

  /** Whether a label follows: "X is my passport number", "X (SSN)"; with `touching` also "X office". */
  after(words: Words, word: number, touching = false): boolean {
    let linked = touching;
    for (let at = word + 1; at < words.count && at <= word + REACH; at++) {
      if (!joined(words, at - 1, true)) return false;
      if (unitAt.call(words.text, (words.starts[at] as number) - 1) === PARENTHESIS) linked = true;
      if (linked && this.#startsAt(words, at)) return true;
      if (LINKS.has(words.hashes[at] as number)) linked = true;
      else if (!isFiller(words, at) || !linked) return false;
    }
    return false;
  }

  /**
   * Whether a label stands within `reach` words before the word, whatever is between but digits and line ends: "born in
   * Chicago on".
   */
  near(words: Words, word: number, reach: number): boolean {
    for (let at = word - 1; at >= 0 && at >= word - reach; at--) {
      if (!joined(words, at, at + 1 < word)) return false;
      if (this.endsAt(words, at)) return true;
      if (hasDigit(words, at)) return false;
    }
    return false;
  }

  /** Whether a label ends with this word. */
  endsAt(words: Words, word: number): boolean {
    return matches(this.#byLast.get(words.hashes[word] as number), words, (length) => word - length + 1);
  }

  #startsAt(words: Words, word: number): boolean {
    return matches(this.#byFirst.get(words.hashes[word] as number), words, () => word);
  }
}

/** Phrases written with commas between them. */
export function phraseList(list: string): readonly string[] {
  return list.split(',').map((phrase) => phrase.trim().replace(/\s+/g, ' '));
}

const REACH = 6;
const PARENTHESIS = 0x28;
/** Beyond this many characters, words belong to different things. */
const WIDEST_GAP = 8;

function add(table: Map<number, Uint32Array[]>, key: number | undefined, hashes: Uint32Array): void {
  if (key === undefined) return;
  const known = table.get(key);
  if (known) known.push(hashes);
  else table.set(key, [hashes]);
}

function matches(
  phrases: readonly Uint32Array[] | undefined,
  words: Words,
  firstOf: (length: number) => number,
): boolean {
  return (
    phrases?.some((phrase) => {
      const first = firstOf(phrase.length);
      return (
        first >= 0 &&
        first + phrase.length <= words.count &&
        phrase.every((hash, at) => hash === words.hashes[first + at])
      );
    }) ?? false
  );
}

/** Whether a word and the next belong to one phrase: no line end (`strict`), no end of a sentence, no wide gap. */
function joined(words: Words, word: number, strict: boolean): boolean {
  const from = words.ends[word] as number;
  const to = words.starts[word + 1] as number;
  if (to - from > WIDEST_GAP) return false;
  for (let at = from; at < to; at++) {
    const unit = unitAt.call(words.text, at);
    if (unit === 0x0a && strict) return false;
    if (unit === 0x3b || unit === 0x21 || unit === 0x3f) return false; // ; ! ?
    const ends = unit === 0x2e && unitAt.call(words.text, at + 1) === 0x20 && at === from; // ". "
    const isLong = from - (words.starts[word] as number) > LONGEST_ABBREVIATION;
    if (ends && isLong && isSentence(words.text, to)) return false;
  }
  return true;
}

/** A capital and a small letter begin a sentence; "A1234567" and "12" do not. */
function isSentence(text: string, at: number): boolean {
  return /^\p{Lu}\p{Ll}/u.test(text.slice(at, at + 2));
}

/** "nr.", "geb.", "acct." end no sentence. */
const LONGEST_ABBREVIATION = 4;

function isFiller(words: Words, word: number): boolean {
  return FILLERS.has(words.hashes[word] as number);
}

/** Two or three capitals right before a number: "passport GBR 925076473", "DL CA D1234567". */
function isCountry(words: Words, word: number): boolean {
  const start = words.starts[word] as number;
  return /^[A-Z]{2,3}$/.test(words.text.slice(start, words.ends[word]));
}

function hasDigit(words: Words, word: number): boolean {
  return ((words.kinds[word] as number) & HAS_DIGIT) !== 0;
}

/** Whether the word is followed by a comma or by "and": "passports AB123456 and XY987654". */
export function isList(words: Words, word: number): boolean {
  return (
    unitAt.call(words.text, words.ends[word] as number) === 0x2c ||
    (word + 1 < words.count && LIST_WORDS.has(words.hashes[word + 1] as number))
  );
}

const hashesOf = (list: string): ReadonlySet<number> => new Set(list.split(' ').map(hashOfWord));

const LIST_WORDS = hashesOf('and or und oder et ou y o e och en of');

const LINKS = hashesOf('is was are es est ist war è é are är er on is being as');

/** What may stand between a label and its value, in English, German, French, Spanish, Italian, Dutch, Portuguese, Nordic. */
const FILLERS = hashesOf(
  `is was are be has like including ending with number numbers num no nr nbr id ids identifier code card details value the of my his her their your our its a an and or to s
  ist lautet war nummer die der das mein meine seine ihre und oder von für
  est numéro numero n° nº n mon ma son sa votre le la les du de et ou suivant
  es son número núm num del el los mi su tu y o tarjeta
  è il lo mio suo della dello di e
  is mijn uw zijn haar van het en
  é seu sua meu minha do da dos em
  är mitt min hans hennes och er nummeret
  issued given provided recorded noted shown stated td th tr dd dt strong span assigned registered listed as reads reading ending in card nummern numarası numarasi no numaram`.replace(
    /\s+/g,
    ' ',
  ),
);
