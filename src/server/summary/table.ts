import { visibleLine } from '../visible-text.js';
import { clip } from '../visible-value.js';
import { keyName } from './column.js';

/** Wider tables read better as JSON. */
const MAX_COLUMNS = 40;
const SEPARATOR = ' | ';

type Row = Readonly<Record<string, unknown>>;

/** Rows of a table-like value, and its column names in order of appearance. */
export interface Table {
  readonly columns: readonly string[];
  /** One object a row. */
  readonly rows: readonly Row[];
  /** The keys of the rows, if they came from a dict: they are shown as a first column `key`. */
  readonly keys?: readonly string[];
}

/**
 * The value as a table, if it reads as one: a list of at least two dicts with much the same keys, or a dict of such.
 * Linear in the number of keys; what is no table is mostly seen at its first item.
 */
export function asTable(value: unknown): Table | undefined {
  if (Array.isArray(value)) return fromRows(value);
  if (!isDict(value)) return undefined;
  const keys = Object.keys(value);
  if (!isDict(value[keys[0] ?? ''])) return undefined;
  const table = fromRows(keys.map((key) => value[key]));
  return table === undefined ? undefined : { ...table, keys };
}

function fromRows(rows: readonly unknown[]): Table | undefined {
  if (rows.length < 2) return undefined;
  const columns = new Set<string>();
  let cells = 0;
  for (const row of rows) {
    if (!isDict(row)) return undefined;
    for (const key of Object.keys(row)) {
      columns.add(key);
      cells++;
    }
    if (columns.size > MAX_COLUMNS) return undefined;
  }
  // A fifth of the cells may be missing; beyond that the rows are not alike.
  if (columns.size === 0 || cells < 0.8 * columns.size * rows.length) return undefined;
  return { columns: [...columns], rows: rows as Row[] };
}

/** The names of the columns on one line. */
export function headerText({ columns, keys }: Table): string {
  return [...(keys === undefined ? [] : ['key']), ...columns.map(keyName)].join(SEPARATOR);
}

/** The whole table: its header and one line a row. A missing key is an empty cell. */
export function tableText(table: Table): string {
  return [headerText(table), ...rowTexts(table, 0, table.rows.length)].join('\n');
}

/** The rows from `start` to before `end`, one line each, their cells clipped to `cellChars`. */
export function rowTexts(table: Table, start: number, end: number, cellChars?: number): string[] {
  return table.rows.slice(start, end).map((row, index) => {
    const key = table.keys?.[start + index];
    const cells = table.columns.map((column) =>
      Object.hasOwn(row, column) ? cellText(row[column], cellChars) : '',
    );
    return [...(key === undefined ? [] : [cellText(key, cellChars)]), ...cells].join(SEPARATOR).trimEnd();
  });
}

/**
 * One value on one line. Strings go bare unless that would be misread: as a number, as null, as a border, as nothing.
 * Values nested in a cell are JSON.
 */
export function cellText(value: unknown, cellChars = Number.POSITIVE_INFINITY): string {
  if (typeof value === 'string') return stringCell(value, cellChars);
  if (typeof value === 'number' && cellChars < Number.POSITIVE_INFINITY) return rounded(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const json = visibleLine(JSON.stringify(value));
  return json.length <= cellChars ? json : `${clip(json, Math.max(1, cellChars - 3))}...`;
}

/** Where cells are clipped anyway, six digits tell enough of a fraction. */
function rounded(value: number): string {
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
}

function stringCell(value: string, cellChars: number): string {
  if (value.length > cellChars) return `${visibleLine(clip(value, Math.max(1, cellChars - 3)))}...`;
  const bare =
    /^(?=\S)(?!-?[\d.]|null$|true$|false$|NaN$|["'[{])[^|\n\t\r"]*(?<=\S)$/.test(value) || isDate(value);
  return bare ? visibleLine(value) : visibleLine(JSON.stringify(value));
}

/** Dates and times look like nothing else, so they need no quotes. */
function isDate(value: string): boolean {
  return /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.test(value);
}

/** True for a plain JSON object. */
export function isDict(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
