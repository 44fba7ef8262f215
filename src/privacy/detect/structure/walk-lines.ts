import type { KeyPath } from '../keys.js';
import { TYPE_BIT } from '../type-bits.js';
import { Indents } from './indents.js';
import { type Pair, PairScanner } from './pair-scanner.js';
import { isBlank, type Source, signsBetween, skipBlanks, trimBlanks, type Visitor } from './source.js';
import { walkInsert } from './sql-insert.js';
import { startsJson } from './starts-json.js';
import { walkJson } from './walk-json.js';
import { walkTable } from './walk-table.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** Text that is cut here holds at most this many units: what is kept for one stretch stays small. */
const LONGEST_PROSE = 1 << 15;

/**
 * Walks text by lines: tables, `key: value`, `key=value`, elements of markup, JSON and SQL inside a line. What is left
 * between them goes on as prose, several lines at a time, for an address or a key has more than one.
 */
export class LineWalk {
  readonly #source: Source;
  readonly #text: string;
  readonly #to: number;
  readonly #base: KeyPath;
  readonly #visitor: Visitor;
  readonly #pairs: PairScanner;
  readonly #indents: Indents;
  #from = 0;
  /** Where prose that was not handed over begins. */
  #prose = 0;
  /** The value that goes on until the next key of the line. */
  #open: { path: KeyPath; from: number } | undefined;
  /** The key whose value stands on the next line. */
  #awaiting: KeyPath | undefined;
  /** The first line end behind where it was looked for last. */
  #lineFeed = -1;
  /** Where the last private key that was looked for ends; -1 when there is none behind. */
  #keyBlockEnd = 0;

  constructor(source: Source, to: number, base: KeyPath, visitor: Visitor) {
    this.#source = source;
    this.#text = source.text;
    this.#to = to;
    this.#base = base;
    this.#visitor = visitor;
    this.#pairs = new PairScanner(source.text, visitor.keys);
    this.#indents = new Indents(base);
  }

  walk(from: number): void {
    this.#from = from;
    this.#prose = from;
    let at = from;
    while (at < this.#to) {
      const end = this.#lineEnd(at);
      const behindTable = walkTable(
        this.#source,
        at,
        end,
        this.#to,
        this.#base,
        this.#visitor,
        this.#flushed,
      );
      if (behindTable > at) {
        this.#prose = behindTable;
        at = behindTable;
        continue;
      }
      at = this.#line(at, end);
      if (at - this.#prose > LONGEST_PROSE) this.#flush(at);
    }
    this.#flush(this.#to);
  }

  /** The end of the line; of a line without end, a blank at which it can be cut. */
  #lineEnd(from: number): number {
    // One search for each line end: a line of 50 MB is cut into many pieces.
    if (this.#lineFeed < from) {
      const found = this.#text.indexOf('\n', from);
      this.#lineFeed = found === -1 ? this.#text.length : found;
    }
    const end = Math.min(this.#lineFeed, this.#to);
    if (end - from <= LONGEST_PROSE) return end;
    const limit = from + LONGEST_PROSE;
    for (let at = limit; at > limit - FARTHEST_BLANK; at--)
      if (isBlank(unitAt.call(this.#text, at))) return at;
    return limit;
  }

  /** Walks one line and returns where to go on: behind its end, or behind what began in it. */
  #line(from: number, to: number): number {
    const text = this.#text;
    const start = skipBlanks(text, from, to);
    if (start === to) return this.#next(to);
    const base = this.#indents.pathAt(start - from);
    const awaiting = this.#awaiting;
    this.#awaiting = undefined;
    this.#open = undefined;
    let segment = start;
    for (let at = start; at < to; at++) {
      const unit = unitAt.call(text, at);
      if (unit > 123 || SIGNS[unit] === 0) continue;
      if (unit === 58 /* : */ || unit === 61 /* = */) {
        const pair = this.#pairs.at(at, segment, start, to, base);
        if (!pair) continue;
        const isFirst = pair.keyFrom === skipListSigns(text, start, to);
        const next = this.#pair(pair, isFirst, from, to);
        if (next === undefined) continue;
        segment = next;
        at = next - 1;
      } else if (unit === 123 || unit === 91) {
        if (!startsJson(text, at, this.#to) || (at > start && !mayHoldJson(text, at))) continue;
        const path = this.#takeOpen() ?? base;
        this.#flush(at);
        const end = walkJson(this.#source, at, this.#to, path, this.#visitor);
        this.#prose = end;
        if (end > to) return end;
        segment = end;
        at = Math.max(end - 1, at);
      } else if (unit === 60 /* < */) {
        at = this.#element(at, to, base) - 1;
        segment = at + 1;
      } else if (unit === 40 /* ( */) {
        const end = walkInsert(this.#source, at, this.#to, base, this.#visitor, this.#flushed);
        if (end > at) {
          this.#prose = end;
          return end;
        }
      } else if (text.startsWith('-----BEGIN ', at)) return this.#keyBlock(at);
    }
    if (this.#open) this.#closeOpen(to);
    else if (awaiting && to - start <= LONGEST_AWAITED && this.#prose <= start)
      this.#emit(start, to, awaiting);
    return this.#next(to);
  }

  #next(lineEnd: number): number {
    return unitAt.call(this.#text, lineEnd) === 10 && lineEnd < this.#to ? lineEnd + 1 : lineEnd;
  }

  /** Takes a pair; returns where the line goes on, or undefined when it is no pair after all. */
  #pair(pair: Pair, isFirst: boolean, lineFrom: number, lineTo: number): number | undefined {
    const { path, keyFrom, valueFrom, valueTo, next, isOpen } = pair;
    if (this.#open) {
      if (trimBlanks(this.#text, this.#open.from, keyFrom) <= this.#open.from) return undefined;
      this.#closeOpen(keyFrom);
    }
    if (isFirst && valueFrom >= lineTo) {
      this.#indents.enter(keyFrom - lineFrom, path);
      if (path.bits !== 0) this.#awaiting = path;
      return lineTo;
    }
    if (path.bits === 0) return isOpen ? valueFrom : next;
    if (!isOpen) {
      this.#emit(valueFrom, valueTo, path);
      return next;
    }
    if (valueTo < lineTo && (path.bits & ~ONE_WORD) === 0) {
      this.#emit(valueFrom, valueTo, path);
      return valueTo;
    }
    const stops = valueTo < lineTo && !isBlank(unitAt.call(this.#text, valueTo));
    if (stops) {
      this.#emit(valueFrom, valueTo, path);
      return valueTo;
    }
    this.#open = { path, from: valueFrom };
    return valueFrom;
  }

  #takeOpen(): KeyPath | undefined {
    const path = this.#open?.path;
    this.#open = undefined;
    return path;
  }

  #closeOpen(to: number): void {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    let end = trimBlanks(this.#text, open.from, to);
    while (end > open.from && TRAILING.includes(this.#text.charAt(end - 1)))
      end = trimBlanks(this.#text, open.from, end - 1);
    this.#emit(open.from, end, open.path);
  }

  #emit(from: number, to: number, path: KeyPath): void {
    if (to <= from) return;
    this.#flush(from);
    this.#visitor.value(this.#source, from, to, path, signsBetween(this.#text, from, to));
    this.#prose = to;
  }

  /** The content of an element whose name is a known key; returns where to go on. */
  #element(at: number, lineTo: number, base: KeyPath): number {
    const text = this.#text;
    let end = at + 1;
    while (end < lineTo && end - at < 60 && isTagPart(unitAt.call(text, end))) end++;
    if (end === at + 1) return at + 1;
    const path = this.#visitor.keys.below(base, text.slice(at + 1, end));
    if (path.bits === 0 || unitAt.call(text, end) !== 62 /* > */) return end;
    const close = text.indexOf('<', end);
    // `<token>` alone is a placeholder: an element is closed.
    if (close === -1 || close > lineTo || unitAt.call(text, close + 1) !== 47) return end;
    this.#closeOpen(at);
    this.#emit(end + 1, close, path);
    return close;
  }

  /** A private key is one piece, whatever its lines look like. */
  #keyBlock(at: number): number {
    if (this.#keyBlockEnd !== -1 && this.#keyBlockEnd <= at) {
      this.#keyBlockEnd = this.#text.indexOf('-----END ', at);
    }
    const end = this.#keyBlockEnd;
    if (end === -1 || end > this.#to || end - at > LONGEST_PROSE) return this.#next(this.#lineEnd(at));
    return this.#next(this.#lineEnd(end));
  }

  #flush(to: number): void {
    if (to <= this.#prose) return;
    const isValue = this.#base.keys.length > 0 && this.#prose === this.#from && to === this.#to;
    let from = this.#prose;
    this.#prose = to;
    while (to - from > 2 * LONGEST_PROSE) {
      const end = this.#lineEnd(from);
      this.#visitor.prose(this.#source, from, end, this.#base, false);
      from = Math.max(end, from + 1);
    }
    if (to > from) this.#visitor.prose(this.#source, from, to, this.#base, isValue);
  }

  readonly #flushed = (to: number): void => this.#flush(to);
}

const SIGNS = new Uint8Array(128);
for (const sign of ':={[<(-') SIGNS[unitAt.call(sign, 0)] = 1;

/** Values of one word: what stands behind a blank is another thing. */
const ONE_WORD = TYPE_BIT.SECRET | TYPE_BIT.USERNAME | TYPE_BIT.EMAIL | TYPE_BIT.IP | TYPE_BIT.MAC;
const FARTHEST_BLANK = 1024;
const LONGEST_AWAITED = 120;
const TRAILING = ',;|(';

/** Inside a line: `x[1]`, `user@[::1]` and `f["a"]` are no arrays. */
function mayHoldJson(text: string, at: number): boolean {
  if (unitAt.call(text, at) === 123) return true;
  const next = unitAt.call(text, skipBlanks(text, at + 1, at + 40));
  return (next === 34 || next === 123 || next === 91) && NO_INDEX.includes(text.charAt(at - 1));
}

const NO_INDEX = ' \t=:,(>|[';

function isTagPart(unit: number): boolean {
  if (unit >= 48 && unit <= 57) return true;
  return (
    (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122) || unit === 95 || unit === 45 || unit === 58
  );
}

function skipListSigns(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && at - from < 12 && '-*#•>+ "\'`'.includes(text.charAt(at))) at++;
  return at;
}
