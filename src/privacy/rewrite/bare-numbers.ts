/**
 * Tells which numbers of a text are numbers of JSON, in the text itself or in JSON inside its strings: they must stay
 * numbers. Ask in the order of the text; one pass over its quotes in all.
 *
 * The level of a quote is told by the backslashes before it (none, 1, 3, 7), so no string is decoded.
 */
export class BareNumbers {
  readonly #text: string;
  #at = 0;
  /** For the text and each open string inside each other: whether its content begins like JSON. */
  readonly #isJson: boolean[];

  constructor(text: string) {
    this.#text = text;
    this.#isJson = [BEGINS_JSON.test(text.slice(0, LOOK))];
  }

  /**
   * The number of JSON that the digits between the offsets are, or of which they are a part (its sign, fraction and exponent
   * belong to it); undefined: they are none.
   */
  lexemeAt(start: number, end: number): { readonly start: number; readonly end: number } | undefined {
    const text = this.#text;
    if (!isDigit(text.charCodeAt(end - 1)) || !isSignOrDigit(text.charCodeAt(start))) return undefined;
    let first = start;
    while (start - first < LOOK && NUMBER.test(text.charAt(first - 1))) first--;
    let last = end;
    while (last - end < LOOK && NUMBER.test(text.charAt(last))) last++;
    if (!LEXEME.test(text.slice(first, last))) return undefined;
    let before = first - 1;
    while (first - before < LOOK && SPACE.test(text.charAt(before))) before--;
    let behind = last;
    while (behind - last < LOOK && SPACE.test(text.charAt(behind))) behind++;
    return this.#isBetween(before, behind) ? { start: first, end: last } : undefined;
  }

  #isBetween(before: number, behind: number): boolean {
    const text = this.#text;
    const next = text.charAt(behind);
    const previous = text.charAt(before);
    if (next !== ',' && next !== ']' && next !== '}') return false;
    if (previous === ':')
      return text
        .slice(Math.max(0, before - 3), before)
        .trimEnd()
        .endsWith('"');
    if (previous !== '[' && previous !== ',') return false;
    this.#advance(before);
    return this.#isJson.at(-1) === true;
  }

  #advance(to: number): void {
    const text = this.#text;
    for (;;) {
      const quote = text.indexOf('"', this.#at);
      if (quote < 0 || quote >= to) return;
      const level = levelOf(text, quote, this.#at);
      this.#at = quote + 1;
      const open = this.#isJson.length - 1;
      if (level < open) this.#isJson.length = level + 1;
      else if (level === open) this.#isJson.push(BEGINS_JSON.test(text.slice(quote + 1, quote + 1 + LOOK)));
    }
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isSignOrDigit(code: number): boolean {
  return code === 0x2d || isDigit(code);
}

function levelOf(text: string, quote: number, from: number): number {
  let backslashes = 0;
  while (quote - 1 - backslashes >= from && text.charCodeAt(quote - 1 - backslashes) === BACKSLASH)
    backslashes++;
  let level = 0;
  for (; backslashes % 2 === 1; backslashes = (backslashes - 1) / 2) level++;
  return level;
}

const BACKSLASH = 0x5c;
/** White space that JSON may have around a number; more is no JSON that a machine wrote. */
const LOOK = 200;
const LEXEME = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const NUMBER = /[\d.eE+-]/;
const SPACE = /\s/;
const BEGINS_JSON = /^(?:\s|\\+[nrt])*[{[]/;
