import { similarWords, splitCompound } from './absent-words.js';
import type { SealedIndex } from './sealed-index.js';
import { stem } from './stem.js';
import { STOP_WORDS } from './stop-words.js';
import { SYNONYMS } from './synonyms.js';
import { VERB_CLASSES } from './verbs.js';
import type { Weights } from './weights.js';
import type { Split, WordSplitter } from './words.js';

/** One idea of a query: a word and what may stand for it. */
export interface Concept {
  /** As the query has it, for messages. */
  readonly written: string;
  /** The word's own number in the index, -1 if no tool has it. */
  readonly word: number;
  /** Word numbers with what a full match of each is worth. Empty: nothing in the catalogue answers to it. */
  readonly variants: readonly (readonly [word: number, worth: number])[];
  /** What a match is worth at most; of a concept without variants, what it would be worth. */
  readonly worth: number;
  /** Bits of the clauses that have it; all clauses from the 31st on share a bit. */
  readonly clauses: number;
}

export interface Query {
  readonly concepts: readonly Concept[];
  /** Neighbouring words as {@link pairKey}. */
  readonly pairs: ReadonlySet<number>;
  /** Number of clauses, at most {@link MAX_CLAUSES}. */
  readonly clauses: number;
  /** Per clause the classes of its first verb, as bits; 0 without one. */
  readonly verbs: readonly number[];
}

/** Longest text that is looked at, in UTF-16 units; more is data, not a question. */
const MAX_QUERY = 4_000;
/** Distinct words that count: bounds the work of one query. */
const MAX_CONCEPTS = 80;
const MAX_CLAUSES = 31;
/** Words absent from the catalogue that are compared letter by letter. */
const MAX_COMPARED = 8;
/** Share of the worth that a word similar to an absent one keeps. */
const SIMILAR = 0.6;

/** Two word numbers in one number that is exact: there are far fewer than 2 ** 26 words. */
export function pairKey(first: number, second: number): number {
  return first * 2 ** 26 + second;
}

/** The first word of a pair. */
export function leadOf(key: number): number {
  return Math.floor(key / 2 ** 26);
}

/** What a query asks for, in the words of the index. Linear in the text. */
export function parseQuery(
  text: string,
  index: SealedIndex,
  splitter: WordSplitter,
  weights: Weights,
): Query {
  const reader = new QueryReader(index, splitter, weights);
  for (const span of spansOf(text.slice(0, MAX_QUERY))) reader.read(span);
  return reader.query();
}

interface Span {
  readonly text: string;
  readonly literal: boolean;
}

/** Quoted text, mail and web addresses, absolute paths. Each alternative is linear: no two parts compete for a character. */
const LITERAL =
  /"[^"]*"|(?<![A-Za-z0-9])'[^']*'(?![A-Za-z0-9])|`[^`]*`|[^\s@]{1,64}@\S+|https?:\S+|(?:~?\/[\w.-]+){2,}/g;
/** A quoted name of a tool or an argument is no value. */
const IDENTIFIER = /^[A-Za-z]+(?:[_-][A-Za-z]+|(?<=[a-z])[A-Z][a-z]*)+$/;
/** Where one step of a request ends and another may begin. */
const CLAUSE_END = /[.;!?\n](?=\s|$)|\s\+\s|,?\s+(?:and|then|finally|also|additionally)\s/i;

function spansOf(text: string): Span[] {
  const spans: Span[] = [];
  let at = 0;
  for (const match of text.matchAll(LITERAL)) {
    if (match.index > at) spans.push({ text: text.slice(at, match.index), literal: false });
    const inner = match[0].replace(/^["'`]|["'`]$/g, '');
    spans.push({ text: inner, literal: !IDENTIFIER.test(inner) });
    at = match.index + match[0].length;
  }
  spans.push({ text: text.slice(at), literal: false });
  return spans;
}

interface Found {
  readonly written: string;
  weight: number;
  clauses: number;
  readonly literal: boolean;
}

class QueryReader {
  readonly #index: SealedIndex;
  readonly #splitter: WordSplitter;
  readonly #weights: Weights;
  readonly #found = new Map<string, Found>();
  readonly #pairs = new Set<number>();
  readonly #verbs: number[] = [];
  #clause = 0;
  /** Stem of the word before, stop words left out. */
  #before = '';
  /** The same, if nothing but a space was between. */
  #adjacent = '';

  constructor(index: SealedIndex, splitter: WordSplitter, weights: Weights) {
    this.#index = index;
    this.#splitter = splitter;
    this.#weights = weights;
  }

  read({ text, literal }: Span): void {
    const clauses = literal ? [text] : text.split(CLAUSE_END);
    clauses.forEach((clause, position) => {
      if (position > 0) this.#nextClause();
      for (const split of this.#splitter.splitAll(clause)) this.#readWord(split, literal);
    });
  }

  query(): Query {
    const concepts: Concept[] = [];
    let compared = 0;
    for (const [word, found] of this.#found) {
      const known = this.#known(word, found);
      if (known !== undefined) concepts.push(known);
      else concepts.push(this.#absent(word, found, !found.literal && compared++ < MAX_COMPARED));
    }
    const verbs = Array.from({ length: this.#clause + 1 }, (_, clause) => this.#verbs[clause] ?? 0);
    return { concepts, pairs: this.#pairs, clauses: this.#clause + 1, verbs };
  }

  #nextClause(): void {
    this.#clause = Math.min(this.#clause + 1, MAX_CLAUSES - 1);
    this.#before = '';
    this.#adjacent = '';
  }

  #readWord({ words, parts, joined }: Split, literal: boolean): void {
    parts.forEach((part, position) => {
      const written = words[position] ?? part;
      if (STOP_WORDS.has(written)) {
        this.#adjacent = '';
        return;
      }
      if (/^\d+$/.test(part)) return;
      // "file system" also asks for `filesystem`, where a tool has that word.
      if (this.#adjacent !== '') this.#addKnown(this.#adjacent + part, literal);
      this.#adjacent = part;
      this.#add(part, written, literal);
      this.#pairUp(part);
      if (!literal) this.#takeVerb(part);
    });
    if (joined !== undefined) this.#addKnown(joined, literal);
  }

  /** The first verb of a clause says what is to be done. */
  #takeVerb(part: string): void {
    const classes = VERB_CLASSES.get(part);
    if (classes !== undefined) this.#verbs[this.#clause] ??= classes;
  }

  #pairUp(part: string): void {
    const first = this.#index.words.get(this.#before);
    const second = this.#index.words.get(part);
    if (first !== undefined && second !== undefined) this.#pairs.add(pairKey(first, second));
    this.#before = part;
  }

  #addKnown(word: string, literal: boolean): void {
    if (this.#index.words.has(word)) this.#add(word, word, literal);
  }

  #add(word: string, written: string, literal: boolean): void {
    const weight =
      (GENERIC.has(word) ? this.#weights.genericWord : 1) * (literal ? this.#weights.literalWord : 1);
    const found = this.#found.get(word);
    if (found !== undefined) {
      found.weight = Math.max(found.weight, weight);
      found.clauses |= 1 << this.#clause;
    } else if (this.#found.size < MAX_CONCEPTS) {
      this.#found.set(word, { written, weight, clauses: 1 << this.#clause, literal });
    }
  }

  #known(word: string, { written, weight, clauses }: Found): Concept | undefined {
    const { words, idf } = this.#index;
    const own = words.get(word);
    const others = (SYNONYMS.get(word) ?? []).flatMap((other) => words.get(other) ?? []);
    if (own === undefined && others.length === 0) return undefined;
    // A synonym that is rarer than the word itself must not be worth more than the word.
    const cap = own === undefined ? Math.max(...others.map((other) => idf[other] ?? 0)) : (idf[own] ?? 0);
    const variants: [number, number][] = own === undefined ? [] : [[own, cap * weight]];
    for (const other of others) {
      variants.push([other, this.#weights.synonym * Math.min(cap, idf[other] ?? 0) * weight]);
    }
    return concept(written, own ?? -1, variants, clauses);
  }

  /** A word that no tool has: a compound of known words, else perhaps a known word misspelt. */
  #absent(word: string, { written, weight, clauses }: Found, compare: boolean): Concept {
    const { idf } = this.#index;
    const near = splitCompound(word, this.#index) ?? (compare ? similarWords(word, this.#index) : []);
    const variants = near.map((other): [number, number] => [other, SIMILAR * (idf[other] ?? 0) * weight]);
    if (variants.length > 0) return concept(written, -1, variants, clauses);
    const rarest = Math.log(1 + (this.#index.documents.length + 0.5) / 0.5);
    return { written, word: -1, variants, worth: rarest * weight, clauses };
  }
}

function concept(
  written: string,
  word: number,
  variants: readonly (readonly [number, number])[],
  clauses: number,
): Concept {
  const worth = variants.reduce((most, [, value]) => Math.max(most, value), 0);
  return { written, word, variants, worth, clauses };
}

/** Words for the kind of thing that is searched for: nearly every query could have them. */
const GENERIC: ReadonlySet<string> = new Set(
  'platform service server tool system app application api software function operation feature capability utility functionality program website'
    .split(' ')
    .map(stem),
);
