import type { SearchDocument } from './document.js';
import { firstOf } from './first-of.js';
import { pickInTurn } from './pick-in-turn.js';
import { type Concept, leadOf, pairKey, type Query } from './query.js';
import type { SealedIndex } from './sealed-index.js';
import type { Weights } from './weights.js';

export interface Ranked {
  /** Document numbers, best first, at most as many as asked for. */
  readonly order: readonly number[];
  /** Scores of the first {@link CANDIDATES}; a document's rank after them is by words alone. */
  readonly scores: readonly number[];
  /** Documents that have a word of the query and pass the filter. */
  readonly total: number;
  /** Share of the query's worth that is found in the first five, 0 to 1. */
  readonly confidence: number;
}

/** Documents that are looked at closely; behind them the order is by words alone. */
export const CANDIDATES = 60;
/** Best documents that the confidence is about: a default answer. */
const CONFIDENCE_OVER = 5;

/** Where the matches of one concept are in the ranker's buffers. */
interface Matches {
  readonly start: number;
  readonly end: number;
}

/**
 * Ranks the documents of one sealed index. Keeps its buffers between queries (a query at 8,000 tools would else clear
 * 100 kB); synchronous, so no two queries meet. The same index and query give the same order on every machine.
 */
export class Ranker {
  readonly #index: SealedIndex;
  readonly #weights: Weights;
  readonly #sum: Float64Array;
  readonly #covered: Float64Array;
  readonly #current: Float64Array;
  readonly #row: Int32Array;
  /** Words of the query that another word of it follows, as flags per word number. */
  readonly #leads: Uint8Array;
  /** Matches of all concepts one after the other: documents and what each is worth. */
  #matched = new Uint32Array(4_096);
  #values = new Float64Array(4_096);

  constructor(index: SealedIndex, weights: Weights) {
    const size = index.documents.length;
    this.#index = index;
    this.#weights = weights;
    this.#sum = new Float64Array(size);
    this.#covered = new Float64Array(size);
    this.#current = new Float64Array(size);
    this.#row = new Int32Array(size).fill(-1);
    this.#leads = new Uint8Array(index.words.size);
  }

  /** The first `wanted` documents for the query among those that `accepts` takes. */
  rank(query: Query, wanted: number, accepts?: (document: SearchDocument) => boolean): Ranked {
    const { concepts } = query;
    const evidence = new Float64Array(this.#index.segments.length);
    const matches: Matches[] = [];
    for (const concept of concepts) matches.push(this.#match(concept, matches.at(-1)?.end ?? 0, evidence));
    const total = concepts.reduce((sum, concept) => sum + concept.worth, 0);
    const found = this.#collect(matches, concepts);
    const best = this.#finishSums(found, total);
    const accepted = accepts === undefined ? found : found.filter((at) => accepts(this.#document(at)));
    const top = firstOf(accepted, CANDIDATES, (a, b) => this.#compare(a, b));
    const table = this.#tableOf(top, matches);
    const lifts = this.#serverLifts(best, evidence);
    for (const key of query.pairs) this.#leads[leadOf(key)] = 1;
    const scores = top.map((at, row) => this.#score(at, table.subarray(row * concepts.length), query, lifts));
    const rows = this.#byScore(top, scores);
    const picked =
      query.clauses > 1 ? pickInTurn(rows, scores, table, concepts.length, this.#weights.explained) : rows;
    const order = picked.map((row) => top[row] ?? 0);
    const confidence = confidenceOf(picked, table, concepts, total);
    const rest = wanted > order.length ? this.#rest(accepted, top) : [];
    for (const at of found) this.#sum[at] = 0;
    for (const key of query.pairs) this.#leads[leadOf(key)] = 0;
    return {
      order: [...order, ...rest].slice(0, wanted),
      scores: picked.map((row) => scores[row] ?? 0),
      total: accepted.length,
      confidence,
    };
  }

  #document(at: number): SearchDocument {
    return this.#index.documents[at] as SearchDocument;
  }

  /** The best of a concept's variants per document; adds to the servers' evidence for the word itself. */
  #match({ variants, word, worth }: Concept, start: number, evidence: Float64Array): Matches {
    const { starts, postingDocuments, impacts, documents } = this.#index;
    this.#reserve(start + documents.length);
    const current = this.#current;
    const matched = this.#matched;
    const values = this.#values;
    let end = start;
    for (const [variant, value] of variants) {
      const last = starts[variant + 1] as number;
      for (let at = starts[variant] as number; at < last; at++) {
        const document = postingDocuments[at] as number;
        const before = current[document] as number;
        const now = (impacts[at] as number) * value;
        if (before === 0) matched[end++] = document;
        if (now > before) current[document] = now;
      }
    }
    for (let at = start; at < end; at++) {
      const document = matched[at] as number;
      values[at] = current[document] as number;
      current[document] = 0;
    }
    if (word >= 0) this.#addEvidence(word, worth, evidence);
    return { start, end };
  }

  #reserve(size: number): void {
    if (size <= this.#matched.length) return;
    const matched = new Uint32Array(2 * size);
    matched.set(this.#matched);
    this.#matched = matched;
    const values = new Float64Array(2 * size);
    values.set(this.#values);
    this.#values = values;
  }

  /** A word counts for a server by how much of the server speaks of it, and the more the fewer servers do. */
  #addEvidence(word: number, worth: number, evidence: Float64Array): void {
    const { starts, postingDocuments, impacts, segmentOf, segments, idf } = this.#index;
    const servers: number[] = [];
    const sums: number[] = [];
    const end = starts[word + 1] ?? 0;
    // Postings of a word are in the order of the segments.
    for (let at = starts[word] ?? 0; at < end; at++) {
      const server = segmentOf[postingDocuments[at] as number] as number;
      if (servers.at(-1) !== server) {
        servers.push(server);
        sums.push(0);
      }
      sums[sums.length - 1] = (sums.at(-1) ?? 0) + (impacts[at] as number);
    }
    const rarity = Math.log(1 + (segments.length - servers.length + 0.5) / (servers.length + 0.5));
    // `worth` is idf times the query's own weight of the word; only the latter counts here.
    const weight = worth / Math.max(idf[word] ?? 1, 1e-9);
    servers.forEach((server, position) => {
      const sum = sums[position] ?? 0;
      const size = Math.sqrt(segments[server]?.documents.length ?? 1);
      evidence[server] = (evidence[server] ?? 0) + weight * rarity * (sum / (sum + size));
    });
  }

  #collect(matches: readonly Matches[], concepts: readonly Concept[]): number[] {
    const found: number[] = [];
    const sum = this.#sum;
    const covered = this.#covered;
    matches.forEach(({ start, end }, position) => {
      const worth = concepts[position]?.worth ?? 0;
      for (let at = start; at < end; at++) {
        const document = this.#matched[at] as number;
        const before = sum[document] as number;
        if (before === 0) {
          found.push(document);
          covered[document] = 0;
        }
        sum[document] = before + (this.#values[at] as number);
        covered[document] = (covered[document] as number) + worth;
      }
    });
    return found;
  }

  /** Adds the lift for coverage; gives the best sum of each server. */
  #finishSums(found: readonly number[], total: number): Float64Array {
    const best = new Float64Array(this.#index.segments.length);
    const { coverage } = this.#weights;
    for (const at of found) {
      const sum = (this.#sum[at] as number) * (1 + (coverage * (this.#covered[at] as number)) / total);
      this.#sum[at] = sum;
      const server = this.#index.segmentOf[at] as number;
      if (sum > (best[server] as number)) best[server] = sum;
    }
    return best;
  }

  #compare(a: number, b: number): number {
    const difference = (this.#sum[b] as number) - (this.#sum[a] as number);
    return difference !== 0 ? difference : this.#document(a).id < this.#document(b).id ? -1 : 1;
  }

  /** What each concept gave to each candidate: a row per candidate. */
  #tableOf(top: readonly number[], matches: readonly Matches[]): Float64Array {
    const table = new Float64Array(top.length * matches.length);
    top.forEach((at, row) => {
      this.#row[at] = row;
    });
    matches.forEach(({ start, end }, column) => {
      for (let at = start; at < end; at++) {
        const row = this.#row[this.#matched[at] as number] as number;
        if (row >= 0) table[row * matches.length + column] = this.#values[at] as number;
      }
    });
    for (const at of top) this.#row[at] = -1;
    return table;
  }

  #serverLifts(best: Float64Array, evidence: Float64Array): Float64Array {
    const highest = largest(best) || 1;
    const most = largest(evidence) || 1;
    return best.map(
      (sum, server) =>
        1 +
        (this.#weights.bestOfServer * sum) / highest +
        (this.#weights.serverEvidence * (evidence[server] ?? 0)) / most,
    );
  }

  #score(at: number, row: Float64Array, query: Query, lifts: Float64Array): number {
    const { share, clause } = focusOf(row, query);
    const asked = query.verbs[clause] ?? 0;
    const does = this.#index.verbs[at] ?? 0;
    const { sameVerb, otherVerb, pair, clauseFocus } = this.#weights;
    const verb = asked === 0 || does === 0 ? 1 : (asked & does) !== 0 ? sameVerb : otherVerb;
    const words = (this.#sum[at] as number) + pair * this.#pairs(at, query);
    return words * verb * share ** clauseFocus * (lifts[this.#index.segmentOf[at] ?? 0] ?? 1);
  }

  /** Worth of the query's neighbouring words that are neighbours in the name or the description, each once. */
  #pairs(at: number, { pairs }: Query): number {
    if (pairs.size === 0) return 0;
    const { segmentOf, segments, firstOf, globalWords, idf } = this.#index;
    const which = segmentOf[at] ?? 0;
    const segment = segments[which];
    const numbers = globalWords[which];
    if (segment === undefined || numbers === undefined) return 0;
    const local = at - (firstOf[which] ?? 0);
    const end = segment.sequenceStarts[local + 1] ?? 0;
    let seen: Set<number> | undefined;
    let worth = 0;
    /** The word before, if a pair of the query begins with it. */
    let lead = -1;
    for (let position = segment.sequenceStarts[local] ?? 0; position < end; position++) {
      const item = segment.sequence[position] as number;
      const word = item === 0 ? -1 : (numbers[item - 1] as number);
      if (lead >= 0 && word >= 0) {
        const key = pairKey(lead, word);
        if (pairs.has(key) && !seen?.has(key)) {
          seen = (seen ?? new Set()).add(key);
          worth += Math.min(idf[lead] ?? 0, idf[word] ?? 0);
        }
      }
      lead = word >= 0 && this.#leads[word] === 1 ? word : -1;
    }
    return worth;
  }

  #byScore(top: readonly number[], scores: readonly number[]): number[] {
    return top
      .map((_, row) => row)
      .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || this.#compare(top[a] ?? 0, top[b] ?? 0));
  }

  #rest(accepted: readonly number[], top: readonly number[]): number[] {
    if (accepted.length === top.length) return [];
    const taken = new Set(top);
    return accepted.filter((at) => !taken.has(at)).sort((a, b) => this.#compare(a, b));
  }
}

/** The clause that a candidate answers best, and the share of its score that comes from there. */
function focusOf(row: Float64Array, { concepts, clauses }: Query): { share: number; clause: number } {
  if (clauses === 1) return { share: 1, clause: 0 };
  const perClause = new Float64Array(clauses);
  let sum = 0;
  for (let column = 0; column < concepts.length; column++) {
    const value = row[column] as number;
    if (value === 0) continue;
    sum += value;
    const bits = concepts[column]?.clauses ?? 0;
    for (let clause = 0; clause < clauses; clause++) {
      if ((bits & (1 << clause)) !== 0) perClause[clause] = (perClause[clause] as number) + value;
    }
  }
  const most = largest(perClause);
  return { share: sum === 0 ? 1 : most / sum, clause: Math.max(perClause.indexOf(most), 0) };
}

function largest(numbers: Float64Array): number {
  let most = 0;
  for (const number of numbers) if (number > most) most = number;
  return most;
}

function confidenceOf(
  picked: readonly number[],
  table: Float64Array,
  concepts: readonly Concept[],
  total: number,
): number {
  if (total === 0) return 0;
  let covered = 0;
  concepts.forEach(({ worth }, column) => {
    const isIn = (row: number) => (table[row * concepts.length + column] ?? 0) > 0;
    if (picked.slice(0, CONFIDENCE_OVER).some(isIn)) covered += worth;
  });
  return covered / total;
}
