import type { KeyPath } from '../keys.js';

/**
 * Short values in which nothing is to be found, by the path they stand under, so that `active` is looked at once and not
 * in each of ten thousand rows. Gives up on paths where values do not come back. Lives as long as the detection.
 */
export class DullValues {
  readonly #byPath = new Map<KeyPath, Column>();

  /** What is known of a path; undefined where values do not come back or are too long. */
  of(path: KeyPath, length: number): Column | undefined {
    if (length > LONGEST) return undefined;
    const known = this.#byPath.get(path);
    if (known) return known.isWorthAsking ? known : undefined;
    if (this.#byPath.size >= MOST_PATHS) return undefined;
    const column = new Column();
    this.#byPath.set(path, column);
    return column;
  }
}

export class Column {
  readonly #values = new Set<string>();
  #asked = 0;
  #known = 0;

  get isWorthAsking(): boolean {
    return this.#asked < TRIAL || this.#known * 4 > this.#asked;
  }

  has(value: string): boolean {
    this.#asked++;
    if (!this.#values.has(value)) return false;
    this.#known++;
    return true;
  }

  add(value: string): void {
    if (this.#values.size < MOST_VALUES) this.#values.add(value);
  }
}

const LONGEST = 40;
const TRIAL = 200;
const MOST_VALUES = 128;
const MOST_PATHS = 1000;
