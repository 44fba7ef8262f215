import { count } from '../quantities.js';
import { visibleLine } from '../visible-text.js';
import { clip } from '../visible-value.js';

/** Distinct strings are counted up to here; a column with more is free text or keys. */
const MAX_DISTINCT = 50;
/** Longer strings are not counted as categories: hashing them costs more than the count tells. */
const MAX_CATEGORY_CHARS = 60;

/** What is known of a series of values: one column of a table, or the items of a list. One pass, constant memory. */
export class Column {
  #values = 0;
  #nulls = 0;
  #numbers = 0;
  #integers = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  #sum = 0;
  #strings = 0;
  #booleans = 0;
  #lists = 0;
  #dicts = 0;
  readonly #distinct = new Set<string>();
  #categories = true;

  add(value: unknown): void {
    this.#values++;
    switch (typeof value) {
      case 'number':
        this.#addNumber(value);
        break;
      case 'string':
        this.#addString(value);
        break;
      case 'boolean':
        this.#booleans++;
        break;
      default:
        if (value === null || value === undefined) this.#nulls++;
        else if (Array.isArray(value)) this.#lists++;
        else this.#dicts++;
    }
  }

  get values(): number {
    return this.#values;
  }

  /** Types and what is cheap to say of them: `int|null 3..97 (51 null)`, `str (12 distinct)`. */
  describe(total: number, withMean = false): string {
    const missing = total - this.#values;
    const notes = [
      this.#isCategory() ? `${this.#distinct.size} distinct` : '',
      this.#nulls > 0 ? `${count(this.#nulls)} null` : '',
      missing > 0 ? `${count(missing)} missing` : '',
    ].filter((note) => note !== '');
    const range = this.#numbers > 0 ? ` ${this.#range(withMean)}` : '';
    return `${this.types()}${range}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
  }

  /** `int`, `float`, `str`, `bool`, `list`, `dict`, `null`, joined by `|`. */
  types(): string {
    const numeric = this.#integers === this.#numbers ? 'int' : 'float';
    const found: [number, string][] = [
      [this.#numbers, numeric],
      [this.#strings, 'str'],
      [this.#booleans, 'bool'],
      [this.#lists, 'list'],
      [this.#dicts, 'dict'],
      [this.#nulls, 'null'],
    ];
    return found
      .filter(([n]) => n > 0)
      .map(([, name]) => name)
      .join('|');
  }

  #range(withMean: boolean): string {
    if (this.#min === this.#max) return count(this.#min);
    const mean = withMean ? `, mean ${count(this.#sum / this.#numbers)}` : '';
    return `${count(this.#min)}..${count(this.#max)}${mean}`;
  }

  #isCategory(): boolean {
    return this.#strings > 0 && this.#categories && this.#distinct.size < this.#strings;
  }

  #addNumber(value: number): void {
    this.#numbers++;
    if (Number.isInteger(value)) this.#integers++;
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
    this.#sum += value;
  }

  #addString(value: string): void {
    this.#strings++;
    if (!this.#categories) return;
    if (value.length > MAX_CATEGORY_CHARS) this.#categories = false;
    else if (this.#distinct.size <= MAX_DISTINCT) this.#distinct.add(value);
    if (this.#distinct.size > MAX_DISTINCT) {
      this.#categories = false;
      this.#distinct.clear();
    }
  }
}

/** A key as a column name: bare when it is a plain word, else quoted. */
export function keyName(key: string): string {
  const name = visibleLine(clip(key, 60));
  return /^[\p{L}\p{N}_$%. -]+$/u.test(name) && name.trim() === name ? name : JSON.stringify(name);
}
