import type { TableValue } from '../../wire/table.js';

/** A value under its column's name: what the filter goes by. */
type Cell = Readonly<Record<string, unknown>>;
/** Rows of cells: the names (with null under them), the rows, and of a cut table the least and greatest values. */
export type Cells = readonly (readonly Cell[])[];

/** A DataFrame as it is shown. */
export interface TypedTable extends Omit<TableValue, 'cut'> {
  readonly cut?: NonNullable<TableValue['cut']>;
}

/**
 * The table as the filter reads it. Not as objects with all columns: JavaScript sorts keys that are numbers to the front, and a
 * key that becomes a token changes its place with them.
 */
export function cellsOf({ names, rows, cut }: TableValue): Cells {
  const row = (values: readonly unknown[]) => names.map((name, i): Cell => ({ [name]: values[i] }));
  const ends = cut === undefined ? [] : [row(cut.min), row(cut.max)];
  return [row(names.map(() => null)), ...rows.map(row), ...ends];
}

/** The table with what the filter has left of its cells and types. */
export function fromCells(table: TableValue, cells: Cells, dtypes: readonly string[]): TypedTable {
  const [names = [], ...rest] = cells.map((row) => row.map(entryOf));
  const rows = rest.map((row) => row.map(([, value]) => value));
  const max = table.cut === undefined ? undefined : rows.pop();
  const min = table.cut === undefined ? undefined : rows.pop();
  const cut = table.cut && { ...table.cut, min: min ?? [], max: max ?? [] };
  return {
    names: names.map(([name]) => name),
    dtypes: [...dtypes],
    labels: table.labels,
    rows,
    ...(cut === undefined ? {} : { cut }),
  };
}

function entryOf(cell: Cell): readonly [string, unknown] {
  return Object.entries(cell)[0] ?? ['', null];
}

/** One object a row. */
export function recordsOf({ names, rows }: TypedTable): object[] {
  return rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])));
}

/** A Series by its labels if each is there once, else as rows. */
export function seriesOf(table: TypedTable): unknown {
  if (table.labels !== 1 || table.names.length !== 2) return recordsOf(table);
  const labels = table.rows.map(([label]) => (label === null ? 'NaN' : String(label)));
  if (new Set(labels).size < labels.length) return recordsOf(table);
  return Object.fromEntries(table.rows.map(([, value], i) => [labels[i], value]));
}

/** The type of every column by its name. */
export function dtypesOf({ names, dtypes }: TypedTable): Record<string, string> {
  return Object.fromEntries(names.map((name, i) => [name, dtypes[i] ?? '']));
}
