import { stem } from './stem.js';

/** What one run of letters and digits holds: one word, or the words of an identifier. */
export interface Split {
  /** The words as written, in lower case. */
  readonly words: readonly string[];
  /** Their stems. */
  readonly parts: readonly string[];
  /** `listpullrequests` for `listPullRequests` or `list_pull_requests`; undefined for a plain word. */
  readonly joined?: string;
}

/** A longer run of letters is data (base64, a hash), not a word. */
const MAX_WORD = 64;
/** Distinct words remembered; a catalogue of 8,000 tools has about 30,000. */
const MAX_REMEMBERED = 100_000;

/**
 * Splits text into words and words into stems. Remembers what it has split, since a catalogue repeats its words a
 * hundred times; one instance belongs to one index.
 */
export class WordSplitter {
  readonly #known = new Map<string, Split>();

  /**
   * Splits of all words of `text` (letters, digits, `_`; ideographs in pairs), in order; into `found`, if the caller has a
   * list to use again. Linear.
   */
  splitAll(text: string, found: Split[] = []): Split[] {
    found.length = 0;
    const length = text.length;
    let at = 0;
    while (at < length) {
      if (!isWordUnit(text.charCodeAt(at))) {
        at += 1;
        continue;
      }
      const start = at;
      let ascii = true;
      while (at < length) {
        const unit = text.charCodeAt(at);
        if (!isWordUnit(unit)) break;
        if (unit > 127) ascii = false;
        at += 1;
      }
      if (at - start > MAX_WORD && ascii) continue;
      const raw = text.slice(start, at);
      if (ascii) found.push(this.#split(raw));
      else for (const word of foreignWords(raw)) found.push(this.#split(word));
    }
    return found;
  }

  #split(raw: string): Split {
    const known = this.#known.get(raw);
    if (known !== undefined) return known;
    const made = splitWord(raw);
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
    this.#known.set(raw, made);
    return made;
  }
}

/** The stems of an identifier or a word: `getHTTPLogs` is `get http log`. */
function splitWord(raw: string): Split {
  if (PLAIN_WORD.test(raw)) {
    const word = raw.toLowerCase();
    return { words: [word], parts: [stem(word)] };
  }
  const words = raw
    .split('_')
    .filter((word) => word !== '')
    .flatMap(caseParts)
    .map((word) => word.toLowerCase());
  const parts = words.map(stem);
  return words.length < 2 ? { words, parts } : { words, parts, joined: stem(words.join('')) };
}

/** Nearly all words of running text: nothing to split. */
const PLAIN_WORD = /^[A-Z]?[a-z]+$/;

/** Parts at changes of case and between letters and digits; short mixtures (`s3`, `mp4`, `v2`, `9to5`) stay whole. */
function caseParts(word: string): string[] {
  if (!/[A-Z0-9]/.test(word)) return [word];
  const parts = word.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^A-Za-z0-9]+/g) ?? [word];
  const merged: string[] = [];
  for (const part of parts) {
    const before = merged.at(-1);
    const digits = /^\d+$/.test(part);
    const glue =
      before !== undefined &&
      ((digits && /[A-Za-z]$/.test(before) && before.length <= 3) ||
        (/\d$/.test(before) && part.length <= 2 && !digits));
    if (glue) merged[merged.length - 1] = before + part;
    else merged.push(part);
  }
  return merged;
}

const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/u;
const FOREIGN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[\p{L}\p{M}\p{N}_]+/gu;

/** Words of a run with other than ASCII letters. Scripts without spaces give overlapping pairs of characters. */
function foreignWords(raw: string): string[] {
  const words: string[] = [];
  for (const [run] of raw.matchAll(FOREIGN)) {
    if (!IDEOGRAPH.test(run)) {
      if (run.length <= MAX_WORD) words.push(...splitScripts(run));
      continue;
    }
    const characters = [...run];
    if (characters.length === 1) words.push(run);
    for (let index = 0; index + 1 < characters.length; index++) {
      words.push(`${characters[index]}${characters[index + 1]}`);
    }
  }
  return words;
}

/** A run like `使用search` is cut where the script changes. */
function splitScripts(run: string): string[] {
  if (!IDEOGRAPH.test(run)) return [run.normalize('NFKC').toLowerCase()];
  return run.split(/(?<=[\p{Script=Han}])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?=[\p{Script=Han}])/u);
}

/** A letter, a digit or `_` in ASCII; above ASCII everything that {@link FOREIGN} may sort out. */
function isWordUnit(unit: number): boolean {
  if (unit < 128) {
    return (
      (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57) || unit === 95
    );
  }
  return unit >= 0xaa && !(unit >= 0x2000 && unit <= 0x206f) && !(unit >= 0x3000 && unit <= 0x303f);
}
