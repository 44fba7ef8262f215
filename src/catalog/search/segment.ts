import { FIELDS, firstSentence, type SearchDocument } from './document.js';
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
  const numbers = new Map<string, number>();
  const words: string[] = [];
  /** Per word: document, counts, document, counts ... in the order of the documents. */
  const postings: number[][] = [];
  const lengths = new Uint16Array(documents.length * FIELDS.length);
  const sequence: number[] = [];
  const sequenceStarts = new Uint32Array(documents.length + 1);
  const verbs = new Uint32Array(documents.length);

  const numberOf = (word: string): number => {
    const known = numbers.get(word);
    if (known !== undefined) return known;
    numbers.set(word, words.length);
    words.push(word);
    postings.push([]);
    return words.length - 1;
  };
  const count = (word: string, document: number, field: number): number => {
    const number = numberOf(word);
    const list = postings[number] ?? [];
    if (list.length === 0 || list[list.length - 2] !== document) list.push(document, 0);
    const packed = list[list.length - 1] ?? 0;
    if (countIn(packed, field) < MAX_COUNT) list[list.length - 1] = packed + (1 << (field * BITS));
    return number;
  };

  documents.forEach((document, index) => {
    const texts = textsOf(document);
    texts.forEach((list, field) => {
      let length = 0;
      const ordered = field === NAME || field === DESCRIPTION;
      for (const text of list) {
        for (const split of splitter.splitAll(text)) {
          for (const part of split.parts) {
            if (STOP_WORDS.has(part) && field !== NAME) continue;
            const number = count(part, index, field);
            length += 1;
            if (ordered) sequence.push(number + 1);
          }
          if (split.joined !== undefined) count(split.joined, index, field);
        }
      }
      lengths[index * FIELDS.length + field] = Math.min(length, 0xffff);
      if (ordered) sequence.push(0);
    });
    sequenceStarts[index + 1] = sequence.length;
    verbs[index] = verbsOfName(splitter.splitAll(identifierText(document.name)));
  });

  return {
    server,
    documents,
    words,
    ...flatten(postings),
    lengths,
    sequence: Uint32Array.from(sequence),
    sequenceStarts,
    verbs,
  };
}

const NAME = FIELDS.indexOf('name');
const DESCRIPTION = FIELDS.indexOf('description');

/** In the order of {@link FIELDS}. */
function textsOf(document: SearchDocument): (readonly string[])[] {
  return [
    [identifierText(document.name)],
    [identifierText(document.server)],
    [document.category],
    [document.description],
    [firstSentence(document.description)],
    document.argumentNames,
    document.argumentTexts,
  ];
}

/** `get-9to5mac.news` reads as one identifier, so that its joined form is found as well. */
function identifierText(name: string): string {
  return name.replace(/[-.:/]/g, '_');
}

/** The first verb among the first words of a name decides; `mongo_delete_many` deletes. */
function verbsOfName(splits: readonly Split[]): number {
  for (const part of splits.flatMap((split) => split.parts)) {
    const bits = VERB_CLASSES.get(part);
    if (bits !== undefined) return bits;
  }
  return 0;
}

function flatten(postings: readonly number[][]) {
  const starts = new Uint32Array(postings.length + 1);
  let total = 0;
  postings.forEach((list, word) => {
    total += list.length / 2;
    starts[word + 1] = total;
  });
  const postingDocuments = new Uint32Array(total);
  const postingCounts = new Uint32Array(total);
  let at = 0;
  for (const list of postings) {
    for (let index = 0; index < list.length; index += 2) {
      postingDocuments[at] = list[index] ?? 0;
      postingCounts[at] = list[index + 1] ?? 0;
      at += 1;
    }
  }
  return { starts, postingDocuments, postingCounts };
}
