import type { KeyPath } from '../keys.js';
import { type Source, signsBetween, skipBlanks, type Visitor } from './source.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/**
 * `INSERT INTO people (name, email) VALUES ('...', '...'), (...)`: the names of the columns are the keys.
 *
 * @param at where the bracket with the columns opens.
 * @returns the offset behind the last row, or `at` when this is no such statement.
 */
export function walkInsert(
  source: Source,
  at: number,
  to: number,
  base: KeyPath,
  visitor: Visitor,
  flush: (to: number) => void,
): number {
  const { text } = source;
  if (!followsInto(text, at)) return at;
  const close = text.indexOf(')', at);
  if (close === -1 || close > to || close - at > LONGEST_COLUMNS) return at;
  const paths = text
    .slice(at + 1, close)
    .split(',')
    .map((name) => visitor.keys.below(base, name.trim()));
  let next = skipBlanks(text, close + 1, to);
  if (text.slice(next, next + 6).toUpperCase() !== 'VALUES') return at;
  next = skipBlanks(text, next + 6, to);
  flush(at);
  while (unitAt.call(text, next) === 40 /* ( */ && next < to) {
    next = walkRow(source, next + 1, to, paths, visitor);
    next = skipBlanks(text, next, to);
    if (unitAt.call(text, next) !== 44 /* , */) break;
    next = skipBlanks(text, next + 1, to);
  }
  return Math.min(next, to);
}

/** Walks the values of one row; returns the offset behind its bracket. */
function walkRow(
  source: Source,
  from: number,
  to: number,
  paths: readonly KeyPath[],
  visitor: Visitor,
): number {
  const { text } = source;
  let at = from;
  let column = 0;
  while (at < to) {
    const unit = unitAt.call(text, at);
    if (unit === 41 /* ) */) return at + 1;
    if (unit === 44 /* , */) column++;
    const path = paths[column];
    if (unit === 39 || unit === 34) {
      const close = endOfSqlString(text, at + 1, to, unit);
      if (path) visitor.value(source, at + 1, close, path, signsBetween(text, at + 1, close));
      at = close;
    } else if (unit > 44 || unit === 43) {
      let end = at;
      while (end < to && !ENDS_BARE.includes(text.charAt(end))) end++;
      if (path && end > at) visitor.value(source, at, end, path, 0);
      at = Math.max(end - 1, at);
    }
    at++;
  }
  return to;
}

function endOfSqlString(text: string, from: number, to: number, quote: number): number {
  for (let at = from; at < to; at++) {
    const unit = unitAt.call(text, at);
    if (unit === 92) at++;
    else if (unit === quote) {
      if (unitAt.call(text, at + 1) !== quote) return at;
      at++;
    }
  }
  return to;
}

/** True when `INTO table` (or `COPY table`) stands in front of the bracket. */
function followsInto(text: string, bracket: number): boolean {
  let at = bracket - 1;
  if (unitAt.call(text, at) === 32) at--;
  const nameEnd = at;
  while (at >= 0 && nameEnd - at < 80 && isNamePart(unitAt.call(text, at))) at--;
  if (at === nameEnd || unitAt.call(text, at) !== 32) return false;
  return text.slice(Math.max(0, at - 4), at).toLowerCase() === 'into';
}

function isNamePart(unit: number): boolean {
  if (unit >= 48 && unit <= 57) return true;
  if ((unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122)) return true;
  return unit === 95 || unit === 46 || unit === 34 || unit === 96 || unit === 93 || unit === 91;
}

const LONGEST_COLUMNS = 4000;
const ENDS_BARE = ',) \t\r\n';
