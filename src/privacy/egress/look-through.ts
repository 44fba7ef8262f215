import type { Detection } from '../detect/detector.js';
import { codePieces } from './decode/codes.js';
import { encodedPieces } from './decode/encoded-pieces.js';
import type { DecodeBudget, Piece } from './decode/piece.js';
import type { Hit } from './hit.js';
import { joinedValues } from './joined-values.js';
import type { KnownValues } from './known-values.js';
import { StitchedText } from './stitched-text.js';
import { isUnmistakable } from './unmistakable.js';

/** What a text is searched with. */
export interface Search {
  readonly known: KnownValues;
  readonly detection: Detection;
  readonly budget: DecodeBudget;
}

/**
 * What a text shows beyond what a detector sees in it as it is written: known values in any spelling, values in pieces, and
 * both in text that is encoded, up to {@link MAX_DEPTH} times.
 */
export function lookThrough(text: string, search: Search): Hit[] {
  const hits = look(text, search, 0);
  for (const column of columnsOf(text)) {
    for (const hit of look(column.text, search, MAX_DEPTH - 1)) {
      const [first, ...rest] = column.partsOf(hit.start, hit.end);
      if (first !== undefined && rest.length > 0)
        hits.push({ ...hit, start: first.start, end: first.end, rest });
    }
  }
  return hits;
}

/** {@link lookThrough} for numbers, one a line: known values in their digits, and what they say as character codes. */
export function lookThroughNumbers(text: string, search: Search): Hit[] {
  const hits: Hit[] = search.known
    .find(text)
    .map(({ start, end, known }) => ({ start, end, values: [known] }));
  for (const piece of codePieces(text)) hits.push(...hitsIn(piece, search, MAX_DEPTH));
  return hits;
}

function look(text: string, search: Search, depth: number): Hit[] {
  const hits: Hit[] = search.known
    .find(text)
    .map(({ start, end, known }) => ({ start, end, values: [known] }));
  hits.push(...joinedValues(text, search.detection));
  if (depth >= MAX_DEPTH) return hits;
  const pieces = encodedPieces(text, search.budget);
  for (const piece of pieces) hits.push(...hitsIn(piece, search, depth + 1));
  hits.push(...acrossPieces(text, pieces, search));
  return hits;
}

/** What a piece shows, at its place in the text. */
function hitsIn(piece: Piece, search: Search, depth: number): Hit[] {
  const { start, end, places, form } = piece;
  if (piece.isOpaque) return [{ start, end, values: [], form: form ?? 'text' }];
  const inside = [...found(piece, search.detection), ...look(piece.text, search, depth)];
  if (inside.length === 0) return [];
  if (places === undefined)
    return [{ start, end, values: inside.flatMap(({ values }) => values), form: form ?? 'text' }];
  return inside.map((hit) => ({
    ...hit,
    start: places[hit.start] ?? start,
    end: endIn(places, hit.end, end),
  }));
}

/** A character that took several to write ends where the next one begins. */
function endIn(places: readonly number[], at: number, end: number): number {
  const last = places[at - 1] ?? end;
  for (let i = at; i < places.length; i++) {
    const place = places[i] ?? end;
    if (place > last) return place;
  }
  return end;
}

function found({ text, search }: Piece, detection: Detection): Hit[] {
  if (search === 'known') return [];
  return detection
    .inText(text)
    .filter((finding) => search === undefined || isUnmistakable(finding))
    .map(({ start, end, type }) => ({ start, end, values: [{ type, value: text.slice(start, end) }] }));
}

/** Known values of which a part is encoded, or which were encoded in parts: the text read with its pieces decoded. */
function acrossPieces(text: string, pieces: readonly Piece[], { known }: Search): Hit[] {
  const whole = withoutOverlap(pieces.filter(({ isWhole, isOpaque }) => isWhole && !isOpaque));
  if (whole.length === 0) return [];
  const view = new StitchedText();
  let copied = 0;
  whole.forEach((piece, i) => {
    view.add(text.slice(copied, piece.start), TEXT, copied);
    view.add(piece.text, i, 0);
    copied = piece.end;
  });
  view.add(text.slice(copied), TEXT, copied);
  return known.find(view.text).flatMap(({ start, end, known: value }) => {
    const parts = view.partsOf(start, end);
    if (parts.every(({ source }) => source === TEXT)) return [];
    const spans = parts.map((part) => spanOf(part, whole[part.source]));
    const form = parts.map(({ source }) => whole[source]?.form).find((one) => one !== undefined);
    const first = Math.min(...spans.map((span) => span.start));
    const last = Math.max(...spans.map((span) => span.end));
    return [{ start: first, end: last, values: [value], ...(form === undefined ? {} : { form }) }];
  });
}

function spanOf(
  part: { start: number; end: number },
  piece: Piece | undefined,
): { start: number; end: number } {
  if (piece === undefined) return part;
  const { places, start, end } = piece;
  return places === undefined
    ? { start, end }
    : { start: places[part.start] ?? start, end: endIn(places, part.end, end) };
}

function withoutOverlap(pieces: readonly Piece[]): Piece[] {
  const kept: Piece[] = [];
  for (const piece of [...pieces].sort((a, b) => a.start - b.start || b.end - a.end))
    if (piece.start >= (kept.at(-1)?.end ?? 0)) kept.push(piece);
  return kept;
}

/** `part 1: jane`, `jane 1`: what stands in one column of the lines, with something else beside it. */
function columnsOf(text: string): StitchedText[] {
  if (text.length > MAX_COLUMNS_TEXT || !text.includes('\n')) return [];
  const columns = COLUMNS.map(() => new StitchedText());
  let at = 0;
  for (const line of text.split('\n')) {
    if (line.length > 0 && line.length <= MAX_LINE) {
      COLUMNS.forEach((pattern, i) => {
        const match = pattern.exec(line);
        if (match?.[1] !== undefined) columns[i]?.add(match[1], 0, at + line.indexOf(match[1], match.index));
      });
    }
    at += line.length + 1;
  }
  return columns.filter(({ pieces }) => pieces > 1);
}

/** The first word, all behind it, the last word, all before it, and what is behind a label. */
const COLUMNS = [
  /^\s*(\S+)(?=\s+\S)/,
  /^\s*\S+\s+(\S.*)$/,
  /\s(\S+)\s*$/,
  /^(.*\S)\s+\S+\s*$/,
  /^[^:=\t|]{1,40}[:=\t|]\s?(.+)$/,
];
const MAX_DEPTH = 2;
const TEXT = -1;
/** In a longer text nobody prints one value piece by piece with labels, and five columns cost five times the text. */
const MAX_COLUMNS_TEXT = 32_000;
/** A line of a program that prints pieces is short. */
const MAX_LINE = 200;
