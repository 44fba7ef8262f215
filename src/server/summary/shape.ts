import { count } from '../quantities.js';
import { visibleText } from '../visible-text.js';
import { Column, keyName } from './column.js';
import { headOf, tailOf } from './head-tail.js';
import { asTable, cellText, headerText, isDict, rowTexts, type Table } from './table.js';

/** A summary holds about this many characters: what a model takes in at a glance (some 300 LLM tokens). */
export const SUMMARY_CHARS = 1200;
const KEYS_CHARS = 480;
const WIDE_COLUMNS = 8;
const ITEM_CHARS = 100;
const STRING_CHARS = 1000;
/** Dicts are described key by key down to here, then by type only. */
const MAX_LEVELS = 3;

/** First line: type and length. Further lines: keys or columns, then the first and last items. */
export interface Shape {
  readonly title: string;
  readonly lines: readonly string[];
}

/** What a value looks like: for a model that must decide whether it needs more. Linear in the value. */
export function shapeOf(value: unknown): Shape {
  const table = asTable(value);
  if (table !== undefined) return tableShape(value, table);
  if (Array.isArray(value)) return listShape(value);
  if (isDict(value)) return dictShape(value);
  if (typeof value === 'string') return stringShape(value);
  return { title: cellText(value, ITEM_CHARS), lines: [] };
}

function tableShape(value: unknown, table: Table): Shape {
  const total = table.rows.length;
  const columns = table.columns.map((name) => [name, new Column()] as const);
  for (const row of table.rows) {
    for (const [name, column] of columns) if (row[name] !== undefined) column.add(row[name]);
  }
  const keys = joined(
    columns.map(([name, column]) => `${keyName(name)} ${column.describe(total)}`),
    KEYS_CHARS,
  );
  // A wide table repeats its column names no second time, and shows fewer rows.
  const wide = columns.length > WIDE_COLUMNS;
  const [first, last] = wide ? [1, 1] : total > 5 ? [3, 2] : [2, 1];
  const left = Math.max(300, SUMMARY_CHARS - keys.length - (wide ? 0 : headerText(table).length));
  const cellChars = Math.max(8, Math.min(40, Math.floor(left / (first + last) / columns.length) - 3));
  const rows = [rowTexts(table, 0, first, cellChars), rowTexts(table, total - last, total, cellChars)];
  return {
    title: Array.isArray(value) ? `list of ${count(total)} dicts` : `dict of ${count(total)} dicts`,
    lines: [
      `keys: ${keys}`,
      ...(wide ? [] : [headerText(table)]),
      ...(rows[0] ?? []),
      '...',
      ...(rows[1] ?? []),
    ],
  };
}

function listShape(list: readonly unknown[]): Shape {
  const column = new Column();
  let shortest = Number.POSITIVE_INFINITY;
  let longest = 0;
  for (const item of list) {
    column.add(item);
    if (Array.isArray(item)) {
      shortest = Math.min(shortest, item.length);
      longest = Math.max(longest, item.length);
    }
  }
  const lengths =
    longest === 0 ? '' : shortest === longest ? ` of ${longest}` : ` of ${shortest} to ${count(longest)}`;
  const item = (one: unknown) => cellText(one, ITEM_CHARS);
  const separator = list.slice(0, 3).some((one) => typeof one === 'object' && one !== null) ? '\n' : ', ';
  return {
    title: `list of ${count(list.length)}: ${column.describe(list.length, true)}${lengths}`,
    lines:
      list.length <= 5
        ? list.map((one) => `- ${brief(one, 1)}`)
        : [
            `first 3: ${list.slice(0, 3).map(item).join(separator)}`,
            `last 2: ${list.slice(-2).map(item).join(separator)}`,
          ],
  };
}

function dictShape(dict: Readonly<Record<string, unknown>>): Shape {
  const keys = Object.keys(dict);
  const title = `dict of ${count(keys.length)} keys`;
  if (keys.length <= 20) {
    return {
      title,
      lines: fitting(
        keys.map((key) => `${keyName(key)}: ${brief(dict[key], 1)}`),
        SUMMARY_CHARS,
      ),
    };
  }
  const column = new Column();
  for (const key of keys) column.add(dict[key]);
  const item = (key: string) => `${keyName(key)}: ${cellText(dict[key], ITEM_CHARS)}`;
  return {
    title: `${title}, values ${column.describe(keys.length, true)}`,
    lines: [...keys.slice(0, 3).map(item), '...', ...keys.slice(-2).map(item)],
  };
}

function stringShape(value: string): Shape {
  let lines = 1;
  for (let at = value.indexOf('\n'); at >= 0; at = value.indexOf('\n', at + 1)) lines++;
  const title = `str of ${count(value.length)} characters${lines > 1 ? `, ${count(lines)} lines` : ''}`;
  if (value.length <= STRING_CHARS) return { title, lines: [visibleText(value)] };
  const head = headOf(visibleText(value.slice(0, STRING_CHARS)), STRING_CHARS / 2);
  const tail = tailOf(visibleText(value.slice(-STRING_CHARS)), STRING_CHARS / 2);
  return { title, lines: [head, '...', tail] };
}

/** A nested value in one line: short ones whole, longer ones by their shape. */
function brief(value: unknown, level: number): string {
  if (typeof value === 'string') {
    return value.length <= ITEM_CHARS
      ? cellText(value)
      : `str of ${count(value.length)}: ${cellText(value, ITEM_CHARS)}`;
  }
  if (typeof value !== 'object' || value === null) return String(value);
  if (isSmall(value)) return cellText(value, ITEM_CHARS);
  if (level >= MAX_LEVELS) return Array.isArray(value) ? `list of ${count(value.length)}` : 'dict';
  const table = asTable(value);
  if (table !== undefined) {
    const kind = Array.isArray(value) ? 'list' : 'dict';
    return `${kind} of ${count(table.rows.length)} dicts (${joined(table.columns.map(keyName), 150)})`;
  }
  if (Array.isArray(value)) {
    const column = new Column();
    for (const item of value) column.add(item);
    return `list of ${count(value.length)}: ${column.describe(value.length, true)}`;
  }
  const entries = Object.entries(value);
  return `dict of ${count(entries.length)} keys {${joined(
    entries.slice(0, 12).map(([key, item]) => `${keyName(key)}: ${brief(item, level + 1)}`),
    300,
    entries.length,
  )}}`;
}

/** Few enough items that its JSON is worth making to see whether it is short. */
function isSmall(value: object): boolean {
  const items = Object.values(value);
  return (
    items.length <= 10 && items.every((item) => typeof item !== 'object' || item === null) && shortJson(items)
  );
}

function shortJson(items: readonly unknown[]): boolean {
  return (
    items.reduce<number>((sum, item) => sum + (typeof item === 'string' ? item.length : 8), 0) <= ITEM_CHARS
  );
}

/** Joins with commas up to `maxChars`; says how many of `total` did not fit. */
function joined(parts: readonly string[], maxChars: number, total = parts.length): string {
  const kept = fitting(parts, maxChars);
  const shown = kept.length < parts.length ? kept.slice(0, -1) : kept;
  return `${shown.join(', ')}${shown.length < total ? `, ... ${count(total - shown.length)} more` : ''}`;
}

function fitting(parts: readonly string[], maxChars: number): string[] {
  let used = 0;
  const kept: string[] = [];
  for (const part of parts) {
    used += part.length + 2;
    if (used > maxChars && kept.length > 0) return [...kept, `... ${count(parts.length - kept.length)} more`];
    kept.push(part);
  }
  return kept;
}
