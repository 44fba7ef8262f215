import type { Origin } from '../vault/vault.js';
import { type FoldedText, foldText, hashOf, weightOf } from './folded-text.js';
import { areDigitsOfOne, formsOf, type KnownValue, MIN_FOLDED } from './known-value.js';
import { ShortValues } from './short-values.js';

/** Where a text shows a known value. UTF-16 offsets. */
export interface KnownHit {
  readonly start: number;
  readonly end: number;
  readonly known: Pick<KnownValue, 'type' | 'value' | 'origin'>;
}

/** Values that begin alike, by the hash of their first letters and digits. */
interface Bucket {
  /** How long they are, the longest first. */
  readonly lengths: number[];
  readonly values: KnownValue[];
}

/**
 * Recognises values wherever a text shows them: on letters and digits only, so whatever is between, before and behind
 * them, in any case; also backwards and in ROT13, and cut off at `...`. Values with fewer than 8 letters and digits: see
 * {@link ShortValues}.
 *
 * One rolling hash over the text: linear in it and in the number of hits, whatever the number of values. Keeps the newest
 * {@link GENERATION} values at least, and twice as many at most.
 */
export class KnownValues {
  readonly #size: number;
  #young = new Generation();
  #old = new Generation();

  /** @param size of a generation: so many of the newest are kept at least. */
  constructor(size = GENERATION) {
    this.#size = size;
  }

  add(type: string, value: string, origin: Origin): void {
    if (value.length > MAX_LENGTH || this.#young.has(type, value)) return;
    if (this.#young.size >= this.#size) {
      this.#old = this.#young;
      this.#young = new Generation();
    }
    this.#young.add(type, value, origin);
  }

  clear(): void {
    this.#young = new Generation();
    this.#old = new Generation();
  }

  /** They may overlap; in no order. */
  find(text: string): KnownHit[] {
    const all = [this.#young, this.#old].filter((generation) => generation.size > 0);
    if (all.length === 0) return [];
    const folded = foldText(text);
    return all.flatMap((generation) => generation.find(text, folded));
  }
}

class Generation {
  readonly #buckets = new Map<number, Bucket>();
  readonly #byHash = new Map<number, KnownValue[]>();
  /** One bit for each hash of first letters: most places of a text are done after one look. */
  readonly #filter = new Uint32Array(FILTER_BITS / 32);
  readonly #short = new ShortValues();
  readonly #seen = new Set<string>();

  get size(): number {
    return this.#seen.size;
  }

  has(type: string, value: string): boolean {
    return this.#seen.has(`${type}\n${value}`);
  }

  add(type: string, value: string, origin: Origin): void {
    this.#seen.add(`${type}\n${value}`);
    const forms = formsOf(type, value, origin);
    if (forms.length === 0) this.#short.add(type, value, origin);
    for (const known of forms) this.#addForm(known);
  }

  find(text: string, folded: FoldedText): KnownHit[] {
    const hits = this.#short.find(text);
    if (this.#buckets.size > 0) this.#findLong(text, folded, hits);
    return hits;
  }

  #addForm(known: KnownValue): void {
    const { folded } = known;
    const first = hashOf(folded.slice(0, MIN_FOLDED));
    const bit = bitOf(first);
    this.#filter[bit >>> 5] = (this.#filter[bit >>> 5] ?? 0) | (1 << (bit & 31));
    const bucket = this.#buckets.get(first) ?? { lengths: [], values: [] };
    this.#buckets.set(first, bucket);
    bucket.values.push(known);
    if (!bucket.lengths.includes(folded.length) && bucket.lengths.length < MAX_LENGTHS) {
      bucket.lengths.push(folded.length);
      bucket.lengths.sort((a, b) => b - a);
    }
    const key = keyOf(hashOf(folded), folded.length);
    const same = this.#byHash.get(key);
    if (same === undefined) this.#byHash.set(key, [known]);
    else if (!same.some((other) => other.folded === folded)) same.push(known);
  }

  #findLong(text: string, folded: FoldedText, hits: KnownHit[]): void {
    let cuts = CUT_ANYWHERE.test(text) ? MAX_CUTS : 0;
    const { length, hashes, places } = folded;
    const weight = weightOf(MIN_FOLDED);
    for (let i = 0; i + MIN_FOLDED <= length; i++) {
      const hash = ((hashes[i + MIN_FOLDED] ?? 0) - Math.imul(hashes[i] ?? 0, weight)) >>> 0;
      const bit = bitOf(hash);
      if (((this.#filter[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) continue;
      const bucket = this.#buckets.get(hash);
      if (bucket === undefined) continue;
      const known =
        this.#at(text, folded, i, bucket) ?? (cuts-- > 0 ? cutOff(text, folded, i, bucket) : undefined);
      if (known === undefined) continue;
      const last = places[i + known.length - 1] ?? 0;
      const isPair = isHighSurrogate(text, last);
      hits.push({ start: places[i] ?? 0, end: last + (isPair ? 2 : 1), known: known.value });
      // What overlaps it is found all the same, but a text of one long value over and over costs no square.
      if (known.length > 64) i += known.length - MIN_FOLDED;
    }
  }

  #at(
    text: string,
    { length, hashes, places, units }: FoldedText,
    from: number,
    bucket: Bucket,
  ): Match | undefined {
    for (const size of bucket.lengths) {
      if (from + size > length) continue;
      const hash = ((hashes[from + size] ?? 0) - Math.imul(hashes[from] ?? 0, weightOf(size))) >>> 0;
      for (const value of this.#byHash.get(keyOf(hash, size)) ?? []) {
        if (!isSame(value.folded, size, units, from)) continue;
        if (value.edges === 'digits' && !areDigitsOfOne(text, places, from, value)) continue;
        if (value.edges === 'word' && !isWord(text, places[from] ?? 0, places[from + size - 1] ?? 0))
          continue;
        return { value, length: size };
      }
    }
    return undefined;
  }
}

interface Match {
  readonly value: KnownValue;
  /** Folded units that match. */
  readonly length: number;
}

/** The beginning of a value that breaks off at `...` or at the end of the text: a preview was cut in the middle of it. */
function cutOff(text: string, folded: FoldedText, from: number, { values }: Bucket): Match | undefined {
  for (const value of values.slice(0, MAX_COMPARED)) {
    let length = MIN_FOLDED;
    const most = Math.min(value.folded.length, folded.length - from, MAX_CUT_LENGTH);
    while (length < most && folded.units[from + length] === value.folded.charCodeAt(length)) length++;
    const behind = (folded.places[from + length - 1] ?? 0) + 1;
    if (
      length < value.folded.length &&
      CUT.test(text.slice(behind, behind + 6)) &&
      isSame(value.folded, length, folded.units, from)
    )
      return { value, length };
  }
  return undefined;
}

function isSame(folded: string, length: number, units: Uint16Array, from: number): boolean {
  for (let i = 0; i < length; i++) if (units[from + i] !== folded.charCodeAt(i)) return false;
  return true;
}

function isWord(text: string, first: number, last: number): boolean {
  return !LETTER_OR_DIGIT.test(text.charAt(first - 1)) && !LETTER_OR_DIGIT.test(text.charAt(last + 1));
}

function isHighSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff;
}

function bitOf(hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> (32 - FILTER_LOG);
}

function keyOf(hash: number, length: number): number {
  return length * 2 ** 32 + hash;
}

const FILTER_LOG = 18;
const FILTER_BITS = 2 ** FILTER_LOG;
/** About 600 bytes each with all their forms. */
const GENERATION = 50_000;
/** Longer values are found in clear by their own marks (private keys). */
const MAX_LENGTH = 20_000;
const MAX_COMPARED = 20;
const CUT = /^['"\s)\]}@.]{0,3}(?:\.\.\.|\u2026)/;
const CUT_ANYWHERE = /\.\.\.|\u2026/;
/** Beginnings compared in one text, and how far: cut-off values are few and short. */
const MAX_CUTS = 5_000;
const MAX_CUT_LENGTH = 200;
/** Of values that begin alike. */
const MAX_LENGTHS = 256;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
