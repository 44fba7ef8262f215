import type { KeyPath } from '../keys.js';
import { isColumnName } from './columns.js';
import { type Source, signsBetween, trimBlanks, type Visitor } from './source.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/**
 * Walks a table that begins with a header at `from`: cells parted by tabs, `|`, `;`, commas or several blanks. Returns
 * the offset behind it, or `from` when this is none. A header has a known key and is followed by a row as wide as it.
 *
 * @param flush called with `from` before the first cell is handed over.
 */
export function walkTable(
  source: Source,
  from: number,
  lineEnd: number,
  to: number,
  base: KeyPath,
  visitor: Visitor,
  flush: (to: number) => void,
): number {
  const { text } = source;
  if (lineEnd >= to || lineEnd - from > LONGEST_HEADER) return from;
  const delimiter = delimiterOf(text, from, lineEnd);
  if (delimiter === undefined) return from;
  const cells: number[] = [];
  rowCells(text, from, lineEnd, delimiter, cells);
  const width = cells.length / 2;
  if (width < 2) return from;
  const paths: KeyPath[] = [];
  for (let cell = 0; cell < cells.length; cell += 2) {
    const name = text.slice(cells[cell], cells[cell + 1]);
    if (name !== '' && (!isColumnName(name) || (width === 2 && delimiter === ',' && THREE_WORDS.test(name))))
      return from;
    paths.push(visitor.keys.below(base, name));
  }
  if (!paths.some(({ bits }) => bits !== 0)) return from;

  let at = lineEnd + 1;
  let rows = 0;
  while (at < to) {
    let end = endOfRow(text, at, to, delimiter);
    if (isRule(text, at, end)) {
      at = end + 1;
      continue;
    }
    cells.length = 0;
    rowCells(text, at, end, delimiter, cells);
    const found = cells.length / 2;
    if (rows === 0 ? found !== width : found < 2 || found > 2 * width) break;
    if (rows++ === 0) flush(from);
    end = Math.min(end, to);
    for (let cell = 0; cell < cells.length; cell += 2) {
      const path = paths[Math.min(cell / 2, width - 1)] as KeyPath;
      const start = cells[cell] as number;
      const stop = cells[cell + 1] as number;
      if (stop > start) visitor.value(source, start, stop, path, signsBetween(text, start, stop));
    }
    at = end + 1;
  }
  return rows === 0 ? from : Math.min(at, to);
}

type Delimiter = '\t' | '|' | ';' | ',' | '  ';

/** The delimiter of a line that may be a header; most lines hold a character that no header has. */
function delimiterOf(text: string, from: number, to: number): Delimiter | undefined {
  let best = 0;
  for (let at = from; at < to; at++) {
    const unit = unitAt.call(text, at);
    const kind = unit < 128 ? (HEADER_UNITS[unit] as number) : 0;
    if (kind === NEVER) return undefined;
    if (kind > best) best = kind;
    else if (best === 0 && unit === 32 && at > from && unitAt.call(text, at + 1) === 32) best = BLANKS;
  }
  return DELIMITERS[best];
}

/** Writes the start and the end of each cell, without quotes and blanks around. */
function rowCells(text: string, from: number, to: number, delimiter: Delimiter, cells: number[]): void {
  let at = skipSpaces(text, from, to);
  let end = trimBlanks(text, at, to);
  if (delimiter === '|') {
    if (unitAt.call(text, at) === 124) at++;
    if (end > at && unitAt.call(text, end - 1) === 124) end--;
  } else if (delimiter === '\t') {
    at = from;
    end = unitAt.call(text, to - 1) === 13 ? to - 1 : to;
  }
  while (at <= end) {
    const start = delimiter === '\t' ? at : skipSpaces(text, at, end);
    if (unitAt.call(text, start) === 34 && start < end) {
      const close = endOfQuoted(text, start + 1, end);
      cells.push(start + 1, close);
      at = behindDelimiter(text, close + 1, end, delimiter);
      continue;
    }
    const found = text.indexOf(delimiter, start);
    const stop = found === -1 || found > end ? end : found;
    cells.push(start, trimBlanks(text, start, stop));
    if (stop === end) return;
    at = delimiter === '  ' ? skipSpaces(text, stop, end) : stop + 1;
  }
}

function behindDelimiter(text: string, from: number, end: number, delimiter: Delimiter): number {
  const found = text.indexOf(delimiter, from);
  if (found === -1 || found >= end) return end + 1;
  return found + delimiter.length;
}

/** The quote that ends a cell; two in a row are one in it. */
function endOfQuoted(text: string, from: number, to: number): number {
  let at = from;
  while (at < to) {
    if (unitAt.call(text, at) === 34) {
      if (unitAt.call(text, at + 1) !== 34 || at + 1 >= to) return at;
      at++;
    }
    at++;
  }
  return to;
}

/** The end of the line, or of a later one when a quoted cell goes on there. */
function endOfRow(text: string, from: number, to: number, delimiter: Delimiter): number {
  let end = text.indexOf('\n', from);
  if (end === -1 || end > to) end = to;
  if (delimiter !== ',' && delimiter !== ';' && delimiter !== '\t') return end;
  let quotes = 0;
  for (let at = from; at < end; at++) if (unitAt.call(text, at) === 34) quotes++;
  if (quotes % 2 === 0) return end;
  const limit = Math.min(to, end + LONGEST_CELL);
  for (let at = end + 1; at < limit; at++) {
    const unit = unitAt.call(text, at);
    if (unit === 34) quotes++;
    else if (unit === 10 && quotes % 2 === 0) return at;
  }
  return limit === to && quotes % 2 === 0 ? to : end;
}

/** `|---|---|`, `----+----`. */
function isRule(text: string, from: number, to: number): boolean {
  let dashes = 0;
  for (let at = from; at < to; at++) {
    const unit = unitAt.call(text, at);
    if (unit === 45 || unit === 61) dashes++;
    else if (unit !== 124 && unit !== 43 && unit !== 58 && unit !== 32 && unit !== 13) return false;
  }
  return dashes > 1;
}

function skipSpaces(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && (unitAt.call(text, at) === 32 || unitAt.call(text, at) === 13)) at++;
  return at;
}

/** Two parts with a comma between are a sentence more often than a header. */
const THREE_WORDS = /\S \S+ \S/;
const LONGEST_HEADER = 4000;
const LONGEST_CELL = 4000;
const NEVER = 9;
const BLANKS = 1;
const DELIMITERS: readonly (Delimiter | undefined)[] = [undefined, '  ', ',', ';', '|', '\t'];
const HEADER_UNITS = new Uint8Array(128);
for (const [unit, kind] of [
  [',', 2],
  [';', 3],
  ['|', 4],
  ['\t', 5],
] as const)
  HEADER_UNITS[unitAt.call(unit, 0)] = kind;
for (const unit of ':={}[]<>@!?\\%&+~^') HEADER_UNITS[unitAt.call(unit, 0)] = NEVER;
