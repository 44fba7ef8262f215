import { FIELD, FIELDS, type Field, firstSentence, type SearchDocument } from './document.js';
import { STOP_WORDS } from './stop-words.js';
import { VERB_CLASSES } from './verbs.js';
import type { Split, WordSplitter } from './words.js';

/** Occurrences of a word in one field that still count; four bits each, so that all fields fit one number. */
const MAX_COUNT = 15;
const BITS = 4;

/** The documents of one server, counted. Self-contained: replacing it touches no other segment. */
export interface Segment {
  readonly server: string;
  readonly documents: readonly SearchDocument[];
  /** Distinct words; the numbers below are indices into it. */
  readonly words: readonly string[];
  /** Postings of word `w`: `starts[w]` to `starts[w + 1]` in `postingDocuments` and `postingCounts`. */
  readonly starts: Uint32Array;
  readonly postingDocuments: Uint32Array;
  /** Occurrences per field, {@link BITS} bits each: see {@link countIn}. */
  readonly postingCounts: Uint32Array;
  /** Words per field of document `d`: from `d * FIELDS.length`. */
  readonly lengths: Uint16Array;
  /** Name and description as word numbers + 1, 0 between the two; document `d` from `sequenceStarts[d]`. */
  readonly sequence: Uint32Array;
  readonly sequenceStarts: Uint32Array;
  /** Verb classes of each document's name, as bits. */
  readonly verbs: Uint32Array;
}

/** How often a word occurs in a field, by a packed number of a segment. */
export function countIn(packed: number, field: number): number {
  return (packed >>> (field * BITS)) & MAX_COUNT;
}

/** Counts the words of a server's tools. Linear in their text. */
export function buildSegment(
  server: string,
  documents: readonly SearchDocument[],
  splitter: WordSplitter,
): Segment {
  const counter = new WordCounter(documents.length, splitter);
  documents.forEach((document, index) => {
    counter.addDocument(document, index);
  });
  return {
    server,
    documents,
    ...counter.finish(),
    verbs: Uint32Array.from(documents, (document) => verbsOf(document, splitter)),
  };
}

/** Collects postings in the order of the text, and sorts them by word at the end: no list per word. */
class WordCounter {
  readonly #splitter: WordSplitter;
  readonly #numbers = new Map<string, number>();
  /** Per word: the posting that it has in the current document, if that is at or behind `#firstPosting`. */
  readonly #latest: number[] = [];
  readonly #postingWords: number[] = [];
  readonly #postingDocuments: number[] = [];
  readonly #postingCounts: number[] = [];
  readonly #lengths: Uint16Array;
  readonly #sequence: number[] = [];
  readonly #sequenceStarts: Uint32Array;
  /** Used again for every text. */
  readonly #splits: Split[] = [];
  #firstPosting = 0;

  constructor(documents: number, splitter: WordSplitter) {
    this.#splitter = splitter;
    this.#lengths = new Uint16Array(documents * FIELDS.length);
    this.#sequenceStarts = new Uint32Array(documents + 1);
  }

  addDocument(document: SearchDocument, index: number): void {
    this.#firstPosting = this.#postingWords.length;
    const opening = firstSentence(document.description);
    const length = new Array<number>(FIELDS.length).fill(0);
    const count = (text: string, field: Field, also?: Field): void => {
      const ordered = field === 'name' || field === 'description';
      const words = this.#addText(text, index, FIELD[field], also && FIELD[also], ordered);
      length[FIELD[field]] = (length[FIELD[field]] ?? 0) + words;
      if (also !== undefined) length[FIELD[also]] = words;
    };
    count(identifierText(document.name), 'name');
    this.#sequence.push(0);
    count(identifierText(document.server), 'server');
    count(document.category, 'category');
    count(opening, 'description', 'firstSentence');
    count(document.description.slice(document.description.indexOf(opening) + opening.length), 'description');
    for (const name of document.argumentNames) count(name, 'argumentNames');
    for (const text of document.argumentTexts) count(text, 'argumentTexts');
    this.#sequenceStarts[index + 1] = this.#sequence.length;
    length.forEach((words, field) => {
      this.#lengths[index * FIELDS.length + field] = Math.min(words, 0xffff);
    });
  }

  finish(): Omit<Segment, 'server' | 'documents' | 'verbs'> {
    const starts = new Uint32Array(this.#numbers.size + 1);
    for (const word of this.#postingWords) starts[word + 1] = (starts[word + 1] ?? 0) + 1;
    for (let word = 1; word < starts.length; word++) {
      starts[word] = (starts[word] ?? 0) + (starts[word - 1] ?? 0);
    }
    const next = starts.slice();
    const postingDocuments = new Uint32Array(this.#postingWords.length);
    const postingCounts = new Uint32Array(this.#postingWords.length);
    for (let from = 0; from < this.#postingWords.length; from++) {
      const word = this.#postingWords[from] as number;
      const to = next[word] as number;
      next[word] = to + 1;
      postingDocuments[to] = this.#postingDocuments[from] as number;
      postingCounts[to] = this.#postingCounts[from] as number;
    }
    return {
      words: [...this.#numbers.keys()],
      starts,
      postingDocuments,
      postingCounts,
      lengths: this.#lengths,
      sequence: Uint32Array.from(this.#sequence),
      sequenceStarts: this.#sequenceStarts,
    };
  }

  /** Number of words counted, for the length of the field. */
  #addText(
    text: string,
    document: number,
    field: number,
    also: number | undefined,
    ordered: boolean,
  ): number {
    let length = 0;
    for (const { words, parts, joined } of this.#splitter.splitAll(text, this.#splits)) {
      for (let at = 0; at < parts.length; at++) {
        // A name may consist of stop words only; and it is short, so they cost nothing.
        if (field !== FIELD.name && STOP_WORDS.has(words[at] as string)) continue;
        const number = this.#count(parts[at] as string, document, field, also);
        length += 1;
        if (ordered) this.#sequence.push(number + 1);
      }
      if (joined !== undefined) this.#count(joined, document, field, also);
    }
    return length;
  }

  #count(word: string, document: number, field: number, also: number | undefined): number {
    let number = this.#numbers.get(word);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(word, number);
      this.#latest.push(-1);
    }
    let posting = this.#latest[number] as number;
    if (posting < this.#firstPosting) {
      posting = this.#postingWords.length;
      this.#latest[number] = posting;
      this.#postingWords.push(number);
      this.#postingDocuments.push(document);
      this.#postingCounts.push(0);
    }
    this.#increase(posting, field);
    if (also !== undefined) this.#increase(posting, also);
    return number;
  }

  #increase(posting: number, field: number): void {
    const packed = this.#postingCounts[posting] as number;
    if (countIn(packed, field) < MAX_COUNT) this.#postingCounts[posting] = packed + (1 << (field * BITS));
  }
}

/** `get-9to5mac.news` reads as one identifier, so that its joined form is found as well. */
function identifierText(name: string): string {
  return name.replace(/[-.:/]/g, '_');
}

/**
 * Classes of the verb that says what a tool does: the first in its name (`mongo_delete_many` deletes), else one that
 * its description begins with ("Returns the logs").
 */
function verbsOf(document: SearchDocument, splitter: WordSplitter): number {
  const opening = document.description.trimStart().slice(0, OPENING_CHARS);
  return (
    firstVerb(splitter.splitAll(identifierText(document.name)), Number.POSITIVE_INFINITY) ??
    firstVerb(splitter.splitAll(opening), OPENING_WORDS) ??
    0
  );
}

/** Words, stop words left out, in which a description names its verb. */
const OPENING_WORDS = 3;
const OPENING_CHARS = 60;

function firstVerb(splits: readonly Split[], most: number): number | undefined {
  let seen = 0;
  for (const { words, parts } of splits) {
    for (let at = 0; at < parts.length; at++) {
      const bits = VERB_CLASSES.get(parts[at] ?? '');
      if (bits !== undefined) return bits;
      if (!STOP_WORDS.has(words[at] ?? '') && ++seen >= most) return undefined;
    }
  }
  return undefined;
}
