import { count } from '../quantities.js';
import { visibleLine } from '../visible-text.js';
import { clip } from '../visible-value.js';
import { keyName } from './column.js';
import { SUMMARY_CHARS } from './shape.js';
import { shortNumber } from './short-number.js';
import { cellText } from './table.js';
import type { TypedTable } from './typed-table.js';

/** One LLM token between two cells; bars with spaces cost two where numbers follow. */
const SEPARATOR = '\t';
/** Columns of a cut table that are shown with their values. */
const SHOWN_COLUMNS = 10;
/** Digits of a fraction in a cut table: they are to be looked at, not to be computed with. */
const FEW_DIGITS = 4;
const NAMES_CHARS = 900;
const MIN_CELL_CHARS = 12;
const MAX_CELL_CHARS = 60;
const RANGE_CHARS = 40;

/** All of it: a line of names with their types, then one line a row. */
export function wholeTableLines(table: TypedTable): string[] {
  const { names, rows } = table;
  if (names.length === 0) return [];
  const common = commonType(table);
  const head = names.map((_name, i) => headOf(table, i, common === undefined)).join(SEPARATOR);
  return [common === undefined ? head : `${head} (${common})`, ...rows.map((row) => rowText(row))];
}

/** What the columns hold, then the first and last rows. Wide ones name all columns by type, and show the first ones. */
export function cutTableLines(table: TypedTable): string[] {
  const { names, labels } = table;
  if (names.length === 0) return [];
  const { rows, cut } = table.cut === undefined ? ends(table) : { rows: table.rows, cut: table.cut };
  const shown = Math.min(names.length, labels + SHOWN_COLUMNS);
  const wide = shown < names.length || cut.hidden > 0;
  const described = names
    .slice(0, shown)
    .map((_name, i) => [headOf(table, i, true), ...notesOf(cut, i)].join(' '));
  const head = described.join(SEPARATOR);
  const left = Math.max(SUMMARY_CHARS / 2, SUMMARY_CHARS - head.length);
  const cellChars = Math.floor(left / Math.max(1, rows.length) / shown) - 1;
  const text = (row: readonly unknown[]) =>
    rowText(row.slice(0, shown), Math.min(MAX_CELL_CHARS, Math.max(MIN_CELL_CHARS, cellChars)));
  const gap = rows.length < cut.total ? ['...'] : [];
  return [
    ...(wide ? [`columns: ${namesByType(table)}`, `the first ${count(shown - labels)}:`] : []),
    head,
    ...rows.slice(0, cut.first).map(text),
    ...gap,
    ...rows.slice(cut.first).map(text),
  ];
}

/** Of a whole table that does not fit the first and last rows, about whose columns nothing more is known. */
function ends({ names, rows }: TypedTable): {
  rows: TypedTable['rows'];
  cut: NonNullable<TypedTable['cut']>;
} {
  const nothing = names.map(() => null);
  return {
    rows: rows.length <= 5 ? rows : [...rows.slice(0, 3), ...rows.slice(-2)],
    cut: {
      first: 3,
      total: rows.length,
      hidden: 0,
      nulls: nothing,
      min: nothing,
      max: nothing,
      distinct: nothing,
    },
  };
}

/** `id int64`; a column of the index is `[day]`. */
function headOf({ names, dtypes, labels }: TypedTable, i: number, withType: boolean): string {
  const name = keyName(names[i] ?? '');
  if (i < labels) return `[${name}]`;
  return withType ? `${name} ${typeName(dtypes[i])}` : name;
}

/** The type that all columns share, if there are at least three. */
function commonType({ dtypes, labels }: TypedTable): string | undefined {
  const [first, ...rest] = dtypes.slice(labels);
  return rest.length >= 2 && rest.every((dtype) => dtype === first) ? `all ${typeName(first)}` : undefined;
}

function typeName(dtype = ''): string {
  return visibleLine(clip(dtype, 40));
}

/** `0..9999`, `12 distinct`, `3 NaN`. */
function notesOf(cut: NonNullable<TypedTable['cut']>, i: number): string[] {
  const [min, max, distinct, nulls] = [cut.min[i], cut.max[i], cut.distinct[i], cut.nulls[i]];
  const [low, high] = [cell(min, RANGE_CHARS), cell(max, RANGE_CHARS)];
  const range = min === null || max === null ? '' : low === high ? low : `${low}..${high}`;
  const notes = [
    typeof distinct === 'number' ? `${count(distinct)} distinct` : '',
    typeof nulls === 'number' && nulls > 0 ? `${count(nulls)} NaN` : '',
  ].filter((note) => note !== '');
  return [range, notes.length > 0 ? `(${notes.join(', ')})` : ''].filter((part) => part !== '');
}

/** `float64: a, b, c; int64: id`, as far as it goes. */
function namesByType({ names, dtypes, labels, cut }: TypedTable): string {
  const groups = new Map<string, string[]>();
  names.slice(labels).forEach((name, i) => {
    const type = typeName(dtypes[labels + i]);
    const group = groups.get(type);
    if (group === undefined) groups.set(type, [name]);
    else group.push(name);
  });
  const text = [...groups].map(([type, group]) => `${type}: ${withRanges(group).join(', ')}`).join('; ');
  const hidden = cut?.hidden ?? 0;
  const more = hidden > 0 ? `, ... ${count(hidden)} more` : '';
  return `${text.length <= NAMES_CHARS ? text : `${clip(text, NAMES_CHARS)}...`}${more}`;
}

/** Names that count (`0`, `1`, `2`, ...) as `0..99`. */
function withRanges(names: readonly string[]): string[] {
  const shown: string[] = [];
  for (let i = 0; i < names.length; ) {
    let end = i + 1;
    while (end < names.length && isNext(names[end - 1], names[end])) end++;
    const first = keyName(names[i] ?? '');
    if (end - i > 2) shown.push(`${first}..${names[end - 1]}`);
    else shown.push(...names.slice(i, end).map(keyName));
    i = end;
  }
  return shown;
}

function isNext(before = '', name = ''): boolean {
  return /^\d{1,9}$/.test(before) && name === String(Number(before) + 1);
}

function rowText(row: readonly unknown[], cellChars?: number): string {
  return row.map((value) => cell(value, cellChars)).join(SEPARATOR);
}

/** Clipped cells have few digits. Strings go bare unless they would be read as something else; the column has its type. */
function cell(value: unknown, cellChars?: number): string {
  if (value === null || value === undefined) return 'NaN';
  if (typeof value === 'number') return shortNumber(value, cellChars === undefined ? undefined : FEW_DIGITS);
  if (typeof value !== 'string' || value.length > (cellChars ?? Number.POSITIVE_INFINITY))
    return cellText(value, cellChars);
  return visibleLine(BARE.test(value) && !NUMBER.test(value) ? value : JSON.stringify(value));
}

const BARE = /^(?!(?:NaN|true|false)$)(?=[^\s"[{])[^\t\n\r]*(?<=\S)$/;
const NUMBER = /^[+-]?[\d.,]+(?:e[+-]?\d+)?$/i;
