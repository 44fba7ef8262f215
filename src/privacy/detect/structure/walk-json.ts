import { IS_NAMED } from '../key-roles.js';
import type { KeyPath } from '../keys.js';
import { SIGNS } from '../words.js';
import { Columns } from './columns.js';
import { isBlank, type Source, skipBlanks, type Visitor } from './source.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/**
 * Walks the values of a JSON document that starts at `from` with `{` or `[`. Also takes what is nearly JSON: single
 * quotes, bare keys, trailing commas, `None`, a document that ends too early. Returns the offset behind it, or where it
 * stops being anything like JSON. Each character is looked at once.
 */
export function walkJson(source: Source, from: number, to: number, path: KeyPath, visitor: Visitor): number {
  return new JsonWalk(source, to, visitor).walk(from, path);
}

class JsonWalk {
  readonly #source: Source;
  readonly #to: number;
  readonly #visitor: Visitor;
  readonly #frames: Frame[] = [];
  #depth = -1;
  readonly #columns: Columns;

  constructor(source: Source, to: number, visitor: Visitor) {
    this.#source = source;
    this.#to = to;
    this.#visitor = visitor;
    this.#columns = new Columns(visitor.keys);
  }

  walk(from: number, path: KeyPath): number {
    const { text } = this.#source;
    const to = this.#to;
    let at = from;
    while (at < to) {
      const unit = unitAt.call(text, at);
      if (isBlank(unit)) {
        at++;
        continue;
      }
      const frame = this.#depth < 0 ? undefined : this.#frames[this.#depth];
      if (unit === 34 /* " */ || unit === 39 /* ' */) {
        at = this.#string(frame, at, unit);
      } else if (unit === 123 /* { */ || unit === 91 /* [ */) {
        if ((frame?.isObject && frame.keyPath === undefined) || this.#depth === MOST_OPEN) return at;
        this.#open(frame, unit === 123, frame ? this.#valuePath(frame) : path);
        at++;
      } else if (unit === 125 /* } */ || unit === 93 /* ] */) {
        if (!frame || frame.isObject !== (unit === 125)) return at;
        this.#close(frame);
        at++;
        if (this.#depth < 0) return at;
      } else if (unit === 44 /* , */) {
        if (!frame) return at;
        frame.next();
        at++;
      } else {
        const end = this.#bare(frame, at);
        if (end === at) return at;
        at = end;
      }
    }
    return to;
  }

  #open(parent: Frame | undefined, isObject: boolean, path: KeyPath): void {
    const depth = ++this.#depth;
    const frame = this.#frames[depth] ?? new Frame(path);
    this.#frames[depth] = frame;
    frame.reset(isObject, path);
    if (isObject) return;
    const isRow = parent !== undefined && !parent.isObject;
    if (isRow) frame.columns = this.#columns.forRow();
    this.#columns.begin(path, isRow && parent.index === 0);
  }

  #close(frame: Frame): void {
    this.#depth--;
    if (!frame.isObject) this.#columns.end();
  }

  #string(frame: Frame | undefined, at: number, quote: number): number {
    const { text } = this.#source;
    const to = this.#to;
    let close = at + 1;
    let signs = 0;
    let isEscaped = false;
    for (; close < to; close++) {
      const unit = unitAt.call(text, close);
      if (unit === quote) break;
      if (unit === 92 /* \\ */) {
        isEscaped = true;
        close++;
      } else if (unit < 128) signs |= SIGNS[unit] as number;
    }
    close = Math.min(close, to);
    const next = Math.min(close + 1, to);
    if (!frame) return next;
    if (frame.isObject && frame.keyPath === undefined) {
      const colon = skipBlanks(text, next, this.#to);
      const isKey = unitAt.call(text, colon) === 58 /* : */;
      if (isKey) {
        this.#key(frame, at + 1, close);
        return colon + 1;
      }
    }
    this.#value(frame, at + 1, close, isEscaped ? ESCAPED : signs);
    return next;
  }

  /** A number, a literal, or a bare key; what is neither ends the walk. */
  #bare(frame: Frame | undefined, at: number): number {
    const { text } = this.#source;
    let end = at;
    while (end < this.#to && end - at < LONGEST_BARE && !endsBare(unitAt.call(text, end))) end++;
    if (end === at || end - at === LONGEST_BARE || !frame) return at;
    if (frame.isObject && frame.keyPath === undefined) {
      const colon = skipBlanks(text, end, this.#to);
      if (unitAt.call(text, colon) !== 58 || !isName(unitAt.call(text, at))) return at;
      this.#key(frame, at, end);
      return colon + 1;
    }
    // What goes on otherwise is no JSON: `[2001:db8::1]`, `[12 apples]`.
    const next = skipBlanks(text, end, this.#to);
    if (next < this.#to && !ENDS_VALUE.has(unitAt.call(text, next))) return at;
    const first = unitAt.call(text, at);
    // A short number that no key speaks of is a count, a price, an id.
    if (first < 58 && end - at < SHORTEST_NUMBER && this.#valuePath(frame).bits === 0) {
      if (!frame.isObject) this.#columns.sawOther();
      return end;
    }
    if (first < 58 || !LITERALS.has(text.slice(at, Math.min(end, at + 10))))
      this.#value(frame, at, end, BARE);
    return end;
  }

  #key(frame: Frame, from: number, to: number): void {
    const { text } = this.#source;
    // Deeper down, keys no longer make paths of their own: `{"a":{"a":...` would fill the memory.
    frame.keyPath =
      this.#depth > DEEPEST
        ? frame.path
        : this.#visitor.keys.below(frame.path, text.slice(from, Math.min(to, from + LONGEST_KEY)));
  }

  #valuePath(frame: Frame): KeyPath {
    if (frame.columns) return frame.columns[frame.index] ?? frame.path;
    return frame.keyPath ?? frame.path;
  }

  /** The path of a value that another member names; remembers it when the value is such a name. */
  #named(frame: Frame, path: KeyPath, from: number, to: number): KeyPath {
    if (path.role === IS_NAMED)
      return frame.label === '' ? path : this.#visitor.keys.below(frame.path, frame.label);
    if (to > from && to - from <= LONGEST_LABEL) {
      const label = this.#source.text.slice(from, to);
      frame.label = frame.label === '' ? label : `${frame.label} ${label}`.slice(0, LONGEST_KEY);
    }
    return path;
  }

  #value(frame: Frame, from: number, to: number, signs: number): void {
    const { text } = this.#source;
    let path = this.#valuePath(frame);
    if (frame.isObject) {
      if (path.role !== 0) path = this.#named(frame, path, from, to);
    } else if (signs !== BARE) this.#columns.sawString(text, from, to);
    else this.#columns.sawOther();
    if (to <= from) return;
    if (signs === ESCAPED) this.#visitor.escapedValue(this.#source, from, to, path);
    else if (signs === BARE) this.#visitor.value(this.#source, from, to, path, 0);
    else this.#visitor.value(this.#source, from, to, path, signs);
  }
}

/** An object or array that is open; used again for the next one at its depth. */
class Frame {
  isObject = false;
  path: KeyPath;
  /** The path of the member whose value comes next. */
  keyPath: KeyPath | undefined;
  columns: readonly KeyPath[] | undefined;
  /** What a member said that names the value of another. */
  label = '';
  index = 0;

  constructor(path: KeyPath) {
    this.path = path;
  }

  reset(isObject: boolean, path: KeyPath): void {
    this.isObject = isObject;
    this.path = path;
    this.keyPath = undefined;
    this.columns = undefined;
    this.label = '';
    this.index = 0;
  }

  next(): void {
    this.keyPath = undefined;
    this.index++;
  }
}

/** In the place of signs: the string has escapes; it is no string. */
const ESCAPED = -1;
const BARE = -2;
/** The shortest number that is personal data without a key: a telephone number of seven digits. */
const SHORTEST_NUMBER = 7;
const LONGEST_BARE = 400;
const LONGEST_KEY = 200;
const LONGEST_LABEL = 60;
const DEEPEST = 64;
/** Brackets open at a time: what is deeper is looked at as a document of its own. */
const MOST_OPEN = 500;
const ENDS_BARE = new Uint8Array(128);
for (const end of '{}[],:"\' \t\r\n') ENDS_BARE[end.charCodeAt(0)] = 1;
const ENDS_VALUE: ReadonlySet<number> = new Set([...',]}'].map((c) => unitAt.call(c, 0)));
const LITERALS: ReadonlySet<string> = new Set([
  ...['true', 'false', 'null', 'None', 'True', 'False', 'NaN', 'undefined', 'nil', 'NULL', '...'],
]);

function endsBare(unit: number): boolean {
  return unit < 128 && ENDS_BARE[unit] === 1;
}

function isName(unit: number): boolean {
  return (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122) || unit === 95 || unit === 36;
}
