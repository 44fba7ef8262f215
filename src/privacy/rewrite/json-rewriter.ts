/** What is done to the parts of JSON text. Each answers undefined to leave the part as it is written. */
export interface JsonParts {
  /** @param keys of the objects around it, the outermost first; only valid during the call. */
  string(text: string, keys: readonly string[]): Replaced;
  /** A string of more than {@link LONG_STRING} characters, as it is written, with its quotes. */
  longString(lexeme: string): Promise<string>;
  /** @param lexeme as it is written. */
  number(lexeme: string, keys: readonly string[]): Replaced;
  key(key: string): Replaced;
}

type Replaced = string | undefined;
/** Text that is ready, or will be. */
export type Rewritten = string | Promise<string>;

/**
 * Rewrites JSON text as it comes in, in pieces of any length, without making values of it: what is not replaced stays as
 * it is written (`1.50`, integers of 30 digits, escapes, white space, equal keys). Nothing is proved and nothing thrown;
 * `isJson` tells afterwards whether there was text outside strings, which nobody has looked at. Linear; memory for the
 * longest string.
 */
export class JsonRewriter {
  readonly #parts: JsonParts;
  /** Of every open bracket whether it is an object. */
  readonly #isObject: boolean[] = [];
  /** Keys on the way here; of an object that has none yet, the empty text. */
  readonly #keys: string[] = [];
  #expectsKey = false;
  #isJson = true;
  /** What the pieces so far left: the beginning of a string, a number or a word. */
  #held: string[] = [];
  /** What is held begins a string; and its last character escapes the next one. */
  #inString = false;
  #escaped = false;

  constructor(parts: JsonParts) {
    this.#parts = parts;
  }

  /** False once a word other than those of JSON stood outside the strings. */
  get isJson(): boolean {
    return this.#isJson;
  }

  /** Takes a piece of the text; answers what is ready. */
  feed(piece: string): Rewritten[] {
    if (this.#inString && !this.#closesIn(piece)) {
      this.#held.push(piece);
      return [];
    }
    return this.#rewrite(this.#take() + piece, false);
  }

  /** No piece follows: what is still held. */
  end(): Rewritten[] {
    return this.#rewrite(this.#take(), true);
  }

  #take(): string {
    const text = this.#held.join('');
    this.#held = [];
    this.#inString = false;
    return text;
  }

  #hold(text: string, inString: boolean): void {
    this.#held = [text];
    this.#inString = inString;
    this.#escaped = inString && backslashesBefore(text, text.length) % 2 === 1;
  }

  /** Whether the string that is held ends in the piece. */
  #closesIn(piece: string): boolean {
    const escapes = (end: number) => {
      const n = backslashesBefore(piece, end);
      return (n === end && this.#escaped ? n + 1 : n) % 2 === 1;
    };
    for (let quote = piece.indexOf('"'); quote >= 0; quote = piece.indexOf('"', quote + 1))
      if (!escapes(quote)) return true;
    this.#escaped = escapes(piece.length);
    return false;
  }

  #rewrite(text: string, isLast: boolean): Rewritten[] {
    const out: Rewritten[] = [];
    let ready = '';
    let copied = 0;
    for (let at = 0; ; ) {
      PART.lastIndex = at;
      const found = PART.exec(text);
      if (found === null) break;
      const start = found.index;
      const end = this.#endOf(text, start, found[0], isLast);
      if (end < 0) {
        this.#hold(text.slice(start), found[0] === '"');
        return [...out, ready + text.slice(copied, start)];
      }
      const replaced = this.#part(text.slice(start, end), found[0]);
      at = end;
      if (replaced === undefined) continue;
      ready += text.slice(copied, start);
      copied = end;
      if (typeof replaced === 'string') ready += replaced;
      else {
        out.push(ready, replaced);
        ready = '';
      }
    }
    return [...out, ready + text.slice(copied)];
  }

  /** -1: more text has to come. */
  #endOf(text: string, start: number, first: string, isLast: boolean): number {
    if (first === '"') {
      const end = stringEnd(text, start);
      return end < 0 && isLast ? text.length : end;
    }
    let end = start + first.length;
    if (isNumber(first)) {
      NUMBER.lastIndex = start;
      end = start + (NUMBER.exec(text)?.[0].length ?? 1);
    } else if (isBracket(first)) return end;
    return end === text.length && !isLast && end - start < MAX_HELD ? -1 : end;
  }

  #part(lexeme: string, first: string): Rewritten | undefined {
    if (first === '"') return this.#string(lexeme);
    if (isNumber(first)) return this.#parts.number(lexeme, this.#keys);
    if (isBracket(first)) this.#bracket(first);
    else if (!WORDS.has(lexeme)) this.#isJson = false;
    return undefined;
  }

  #string(lexeme: string): Rewritten | undefined {
    if (lexeme.length > LONG_STRING && !this.#expectsKey) return this.#parts.longString(lexeme);
    const text = decoded(lexeme);
    if (this.#expectsKey) {
      this.#expectsKey = false;
      this.#keys[this.#keys.length - 1] = text;
      const key = this.#parts.key(text);
      return key === undefined ? undefined : JSON.stringify(key);
    }
    const replaced = this.#parts.string(text, this.#keys);
    return replaced === undefined ? undefined : JSON.stringify(replaced);
  }

  #bracket(bracket: string): void {
    if (bracket === '{' || bracket === '[') {
      this.#isObject.push(bracket === '{');
      if (bracket === '{') this.#keys.push('');
      this.#expectsKey = bracket === '{';
    } else if (bracket === ',') this.#expectsKey = this.#isObject.at(-1) === true;
    else {
      if (this.#isObject.pop() === true) this.#keys.pop();
      this.#expectsKey = false;
    }
  }
}

function isNumber(first: string): boolean {
  const code = first.charCodeAt(0);
  return code === 0x2d || (code >= 0x30 && code <= 0x39);
}

function isBracket(first: string): boolean {
  return first.length === 1 && '{}[],'.includes(first);
}

/** Behind the closing quote; -1: it is not here. */
function stringEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1))
    if (backslashesBefore(text, quote) % 2 === 0) return quote + 1;
  return -1;
}

function backslashesBefore(text: string, end: number): number {
  let count = 0;
  while (count < end && text.charCodeAt(end - 1 - count) === BACKSLASH) count++;
  return count;
}

/** A string that is not valid JSON is taken as it is written. */
function decoded(lexeme: string): string {
  const inner = lexeme.slice(1, lexeme.length > 1 && lexeme.endsWith('"') ? -1 : undefined);
  if (!inner.includes('\\')) return inner;
  try {
    return JSON.parse(lexeme) as string;
  } catch {
    return inner;
  }
}

/** Characters as written. */
export const LONG_STRING = 16 * 1024;
const PART = /["{}[\],\-0-9]|[A-Za-z_@\u0080-\uffff]+/g;
const NUMBER = /-?\d+(?:\.\d*)?(?:[eE][+-]?\d*)?/y;
const WORDS = new Set(['true', 'false', 'null', 'NaN', 'Infinity']);
/** A longer number or word is cut in two at the edge of a piece: it is no personal data. */
const MAX_HELD = 1_000;
const BACKSLASH = 0x5c;
