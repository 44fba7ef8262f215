import type { KeyPath, Keys } from '../keys.js';

/**
 * Rows without keys: `{"columns": ["name", "email"], "rows": [["...", "..."]]}`, or a first row that names the columns.
 */
export class Columns {
  readonly #keys: Keys;
  #known: readonly KeyPath[] | undefined;
  /** Names of the array that is open, while it may still be a row of names. */
  #names: string[] | undefined;
  #path: KeyPath;

  constructor(keys: Keys) {
    this.#keys = keys;
    this.#path = keys.root;
  }

  /** An array begins. */
  begin(path: KeyPath, isFirstRow: boolean): void {
    const key = path.keys.at(-1);
    this.#names = isFirstRow || (key !== undefined && NAMES_COLUMNS.has(key)) ? [] : undefined;
    this.#path = path;
  }

  sawString(text: string, from: number, to: number): void {
    if (!this.#names) return;
    if (to - from > LONGEST_NAME || this.#names.length > MOST_COLUMNS) this.#names = undefined;
    else this.#names.push(text.slice(from, to));
  }

  sawOther(): void {
    this.#names = undefined;
  }

  end(): void {
    const names = this.#names;
    this.#names = undefined;
    if (!names || names.length < 2) return;
    const paths = names.map((name) => this.#keys.below(this.#path, name));
    if (names.every(isColumnName) && paths.some(({ bits }) => bits !== 0)) this.#known = paths;
  }

  forRow(): readonly KeyPath[] | undefined {
    return this.#known;
  }
}

/** A name of a column has a letter, and neither `@` nor many digits. */
export function isColumnName(name: string): boolean {
  return name.length <= LONGEST_NAME && /\p{L}/u.test(name) && !/@|\d{3}|:\/\//.test(name);
}

const LONGEST_NAME = 48;
const MOST_COLUMNS = 500;
const NAMES_COLUMNS: ReadonlySet<string> = new Set([
  ...[
    'columns',
    'fields',
    'headers',
    'header',
    'cols',
    'column names',
    'field names',
    'keys',
    'schema',
    'names',
  ],
]);
