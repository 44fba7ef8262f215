import { FIELDS, type SearchDocument } from './document.js';
import type { Segment } from './segment.js';
import type { Weights } from './weights.js';

/**
 * All segments laid out for queries: flat arrays, word after word. Made anew when a segment changes; that costs one
 * pass over numbers (about 1 ms per thousand tools), no text is read again.
 */
export interface SealedIndex {
  readonly documents: readonly SearchDocument[];
  readonly words: ReadonlyMap<string, number>;
  /** Per word number. */
  readonly idf: Float32Array;
  readonly starts: Uint32Array;
  readonly postingDocuments: Uint32Array;
  /** Saturated BM25F weight of the word in the document, without idf. */
  readonly impacts: Float32Array;
  /** Per document: number of its segment, and of its first document. */
  readonly segmentOf: Uint32Array;
  readonly firstOf: Uint32Array;
  readonly segments: readonly Segment[];
  /** Per segment: its word numbers to the global ones. */
  readonly globalWords: readonly Uint32Array[];
  readonly verbs: Uint32Array;
  /** Words by first letter and length, for words that are misspelt. */
  bucket(letter: string, length: number): readonly string[];
}

/** The segments in the order given decide nothing but internal numbers. */
export function seal(segments: readonly Segment[], weights: Weights): SealedIndex {
  const words = new Map<string, number>();
  const globalWords = segments.map((segment) => {
    const numbers = new Uint32Array(segment.words.length);
    segment.words.forEach((word, index) => {
      let number = words.get(word);
      if (number === undefined) {
        number = words.size;
        words.set(word, number);
      }
      numbers[index] = number;
    });
    return numbers;
  });
  const starts = postingStarts(segments, globalWords, words.size);
  const documents = segments.flatMap((segment) => segment.documents);
  const total = starts[words.size] ?? 0;
  const postingDocuments = new Uint32Array(total);
  const impacts = new Float32Array(total);
  const segmentOf = new Uint32Array(documents.length);
  const firstOf = new Uint32Array(segments.length);
  const verbs = new Uint32Array(documents.length);
  const next = starts.slice();
  const scale = fieldScales(segments, documents.length, weights);
  let first = 0;
  segments.forEach((segment, which) => {
    firstOf[which] = first;
    segmentOf.fill(which, first, first + segment.documents.length);
    verbs.set(segment.verbs, first);
    place(segment, globalWords[which] ?? new Uint32Array(0), first);
    first += segment.documents.length;
  });

  function place(segment: Segment, numbers: Uint32Array, base: number): void {
    const { postingDocuments: from, postingCounts: counts } = segment;
    for (let word = 0; word < numbers.length; word++) {
      const number = numbers[word] ?? 0;
      const end = segment.starts[word + 1] ?? 0;
      for (let at = segment.starts[word] ?? 0; at < end; at++) {
        const document = base + (from[at] ?? 0);
        let packed = counts[at] ?? 0;
        let sum = 0;
        for (let index = document * FIELDS.length; packed !== 0; packed >>>= 4, index++) {
          if ((packed & 15) !== 0) sum += (packed & 15) * (scale[index] ?? 0);
        }
        const to = next[number] ?? 0;
        next[number] = to + 1;
        postingDocuments[to] = document;
        impacts[to] = sum / (weights.saturation + sum);
      }
    }
  }

  return {
    documents,
    words,
    idf: inverseFrequencies(starts, documents.length),
    starts,
    postingDocuments,
    impacts,
    segmentOf,
    firstOf,
    segments,
    globalWords,
    verbs,
    bucket: wordBuckets(words),
  };
}

/** Sorted on first use: most queries need it, yet a catalogue that nobody searches does not. */
function wordBuckets(words: ReadonlyMap<string, number>): SealedIndex['bucket'] {
  let buckets: Map<string, string[]> | undefined;
  return (letter, length) => {
    if (buckets === undefined) {
      buckets = new Map();
      for (const word of words.keys()) {
        const key = word.charAt(0) + word.length;
        const bucket = buckets.get(key);
        if (bucket === undefined) buckets.set(key, [word]);
        else bucket.push(word);
      }
    }
    return buckets.get(letter + length) ?? [];
  };
}

function postingStarts(
  segments: readonly Segment[],
  globalWords: readonly Uint32Array[],
  words: number,
): Uint32Array {
  const starts = new Uint32Array(words + 1);
  segments.forEach((segment, which) => {
    globalWords[which]?.forEach((number, word) => {
      const count = (segment.starts[word + 1] ?? 0) - (segment.starts[word] ?? 0);
      starts[number + 1] = (starts[number + 1] ?? 0) + count;
    });
  });
  for (let word = 1; word <= words; word++) starts[word] = (starts[word] ?? 0) + (starts[word - 1] ?? 0);
  return starts;
}

/** Per document and field: the field's weight over its length norm. */
function fieldScales(segments: readonly Segment[], documents: number, weights: Weights): Float32Array {
  const sums = new Float64Array(FIELDS.length);
  for (const { lengths } of segments) {
    for (let at = 0; at < lengths.length; at++) {
      const field = at % FIELDS.length;
      sums[field] = (sums[field] ?? 0) + (lengths[at] ?? 0);
    }
  }
  const scale = new Float32Array(documents * FIELDS.length);
  let to = 0;
  for (const { lengths } of segments) {
    for (let at = 0; at < lengths.length; at++) {
      const field = at % FIELDS.length;
      const name = FIELDS[field] ?? 'name';
      const mean = Math.max((sums[field] ?? 0) / Math.max(documents, 1), 1e-6);
      const b = weights.lengthNorm[name];
      scale[to++] = weights.field[name] / (1 - b + (b * (lengths[at] ?? 0)) / mean);
    }
  }
  return scale;
}

function inverseFrequencies(starts: Uint32Array, documents: number): Float32Array {
  const idf = new Float32Array(Math.max(starts.length - 1, 0));
  for (let word = 0; word < idf.length; word++) {
    const df = (starts[word + 1] ?? 0) - (starts[word] ?? 0);
    idf[word] = Math.log(1 + (documents - df + 0.5) / (df + 0.5));
  }
  return idf;
}
