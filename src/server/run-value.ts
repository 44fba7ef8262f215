import type { FileChange, RunReport, RunValue } from '../core/outcome.js';
import { type TableValue, tableSchema } from '../wire/table.js';
import type { Overflow } from './overflow.js';
import { parseValue } from './summary/parse-value.js';
import { cutArray, cutTable, structuredTable, wholeArray, wholeTable } from './summary/present-typed.js';
import { type Presented, presentValue } from './summary/present-value.js';
import { type Cells, cellsOf, dtypesOf, fromCells, type TypedTable } from './summary/typed-table.js';

/** The value of a run, read: what the filter is to see of it. */
export interface ReadValue {
  readonly type: string;
  /** The value; of a table its {@link Cells}. */
  readonly value: unknown;
  readonly table?: TableValue;
}

/** A value as the answer has it. */
export interface ShownValue extends Presented {
  /** File of the workspace with the whole, and its bytes. */
  readonly file?: { readonly path: string; readonly size: number };
  /** Types of the columns of a table. */
  readonly dtypes?: Readonly<Record<string, string>>;
}

/** Reads the JSON of a value. A table that is none is a JSON value like any other. */
export function readValue({ type, json, form }: RunValue): ReadValue {
  const value = parseValue(json);
  const table = form === 'table' ? tableSchema.safeParse(value) : undefined;
  return table?.success ? { type, value: cellsOf(table.data), table: table.data } : { type, value };
}

/** What the filter has left of a value, ready to be laid out. */
export class FilteredValue {
  readonly #title: string | undefined;
  readonly #encoded: RunValue;
  readonly #read: ReadValue;
  readonly #value: unknown;
  readonly #table: TypedTable | undefined;

  /** `value` and `dtypes` are those of `read` behind the filter, `encoded` is what the report behind it says. */
  constructor(encoded: RunValue, read: ReadValue, value: unknown, dtypes: readonly string[]) {
    this.#encoded = encoded;
    this.#read = read;
    this.#value = value;
    this.#table = read.table === undefined ? undefined : fromCells(read.table, value as Cells, dtypes);
    const { type, form, label = '' } = encoded;
    this.#title = form === undefined ? undefined : `${type} ${label}`.trimEnd();
  }

  /** JSON text of what there is of it. An unchanged value is not encoded again: that takes 50 ms for 8 MiB. */
  json(original: string): string {
    if (this.#table !== undefined) return JSON.stringify(structuredTable(this.#title ?? '', this.#table));
    return this.#value === this.#read.value ? original : JSON.stringify(this.#value);
  }

  /** True if the run itself has left most of it out. */
  get isCut(): boolean {
    return this.#table?.cut !== undefined || (this.#encoded.form === 'array' && this.#encoded.truncated);
  }

  /** Within `maxChars`. `json` is {@link json}; `path` is where it is kept if it does not fit. */
  async present(
    json: string,
    maxChars: number,
    { report, overflow, path }: { report: RunReport; overflow: Overflow; path: string },
  ): Promise<ShownValue> {
    const title = this.#title;
    const file = this.isCut ? savedFile(report.filesChanged, this.#encoded.file) : undefined;
    let kept: { path: string; size: number } | undefined;
    const where = async () => {
      if (file !== undefined) {
        overflow.link(file.path, mimeTypeOf(file.path), file.size);
        return `whole value: ${howToRead(file.path)}`;
      }
      if (this.isCut) return '';
      const { words, path: written } = await overflow.keep(path, json, 'application/json');
      if (written !== undefined) kept = { path: written, size: 0 };
      return `whole value: ${words}`;
    };
    const shown = await this.#layOut(title, json, maxChars, where);
    const dtypes = this.#table === undefined ? undefined : dtypesOf(this.#table);
    const stored = file ?? kept;
    return {
      ...shown,
      ...(stored === undefined ? {} : { file: stored }),
      ...(dtypes === undefined ? {} : { dtypes }),
    };
  }

  async #layOut(
    title: string | undefined,
    json: string,
    maxChars: number,
    where: () => Promise<string>,
  ): Promise<Presented> {
    const table = this.#table;
    if (title !== undefined && table !== undefined) {
      return wholeTable(title, table, maxChars) ?? cutTable(title, table, maxChars, await where());
    }
    if (title !== undefined && this.#encoded.form === 'array') {
      if (this.isCut) return cutArray(title, this.#value, maxChars, await where());
      const whole = wholeArray(title, this.#value, maxChars);
      if (whole !== undefined) return whole;
    }
    return presentValue({ type: this.#read.type, value: this.#value, chars: json.length }, maxChars, where);
  }
}

/** The file in which the run says that the whole is, if it has written it. */
function savedFile(changes: readonly FileChange[], path: string | undefined) {
  const change = changes.find((one) => one.path === path && one.change !== 'deleted');
  return change === undefined ? undefined : { path: change.path, size: change.size };
}

function howToRead(path: string): string {
  if (path.endsWith('.parquet')) return `pandas.read_parquet("${path}")`;
  return path.endsWith('.npy') ? `numpy.load("${path}")` : `read_workspace_file ${path}`;
}

function mimeTypeOf(path: string): string {
  if (path.endsWith('.csv')) return 'text/csv';
  return path.endsWith('.parquet') ? 'application/vnd.apache.parquet' : 'application/octet-stream';
}
