import type { SearchDocument } from './document.js';
import { parseQuery } from './query.js';
import { Ranker } from './rank.js';
import { type SealedIndex, seal } from './sealed-index.js';
import { buildSegment, type Segment } from './segment.js';
import { WEIGHTS, type Weights } from './weights.js';
import { WordSplitter } from './words.js';

export interface SearchResult {
  readonly hits: readonly { readonly id: string; readonly score: number }[];
  /** Documents that have a word of the query. */
  readonly total: number;
  /** Share of the query's worth that the best five cover, 0 to 1. */
  readonly confidence: number;
  /** Words of the query that no document answers to, as written. */
  readonly unmatchedWords: readonly string[];
}

/**
 * BM25F over tools, a segment per server: replacing a server counts its own words again and no other's. The same
 * documents give the same ranking in whatever order they came.
 */
export class SearchIndex {
  readonly #weights: Weights;
  readonly #splitter = new WordSplitter();
  readonly #segments = new Map<string, Segment>();
  #sealed: { index: SealedIndex; ranker: Ranker } | undefined;

  constructor(weights: Weights = WEIGHTS) {
    this.#weights = weights;
  }

  /** Replaces all documents of `server`; an empty list removes it. */
  replace(server: string, documents: readonly SearchDocument[]): void {
    this.#sealed = undefined;
    if (documents.length === 0) this.#segments.delete(server);
    else this.#segments.set(server, buildSegment(server, documents, this.#splitter));
  }

  /** Best first; `limit` from `offset`. A query without a known word gives nothing. */
  search(
    text: string,
    options: { limit: number; offset?: number; accepts?: (document: SearchDocument) => boolean },
  ): SearchResult {
    const { index, ranker } = this.#seal();
    const query = parseQuery(text, index, this.#splitter, this.#weights);
    const offset = options.offset ?? 0;
    const ranked = ranker.rank(query, offset + options.limit, options.accepts);
    const hits = ranked.order.slice(offset).map((at, position) => ({
      id: index.documents[at]?.id ?? '',
      score: ranked.scores[offset + position] ?? 0,
    }));
    return {
      hits,
      total: ranked.total,
      confidence: ranked.confidence,
      unmatchedWords: query.concepts.flatMap(({ variants, written }) =>
        variants.length === 0 ? [written] : [],
      ),
    };
  }

  #seal(): { index: SealedIndex; ranker: Ranker } {
    if (this.#sealed === undefined) {
      const index = seal([...this.#segments.values()], this.#weights);
      this.#sealed = { index, ranker: new Ranker(index, this.#weights) };
    }
    return this.#sealed;
  }
}
