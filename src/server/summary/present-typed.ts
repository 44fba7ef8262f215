import { visibleLine, visibleText } from '../visible-text.js';
import { clip, visibleValue } from '../visible-value.js';
import type { Presented } from './present-value.js';
import { SUMMARY_CHARS } from './shape.js';
import { shortJson } from './short-number.js';
import { recordsOf, seriesOf, type TypedTable } from './typed-table.js';
import { cutTableLines, wholeTableLines } from './typed-table-text.js';

/** Text of the middle of a large array, which NumPy has printed. */
const ARRAY_CHARS = 900;

/**
 * A table within `maxChars`, as text and as records; undefined if it is cut or does not fit.
 * `title`: `DataFrame 3 x 2`.
 */
export function wholeTable(title: string, table: TypedTable, maxChars: number): Presented | undefined {
  if (table.cut !== undefined) return undefined;
  const structured = visibleValue(structuredTable(title, table));
  const text = [titleText(title), ...wholeTableLines(table)].map((line) => visibleText(line)).join('\n');
  const fits = text.length <= maxChars && (JSON.stringify(structured)?.length ?? 0) <= maxChars;
  return fits ? { text, structured, whole: true } : undefined;
}

/** What a table is as JSON: a Series by its labels, all else as records. */
export function structuredTable(title: string, table: TypedTable): unknown {
  return title.startsWith('Series ') ? seriesOf(table) : recordsOf(table);
}

/** The ends of a table; `where` tells how to get the whole. */
export function cutTable(title: string, table: TypedTable, maxChars: number, where: string): Presented {
  return summary(title, cutTableLines(table), maxChars, where);
}

/** An array within `maxChars`, its numbers rounded in the text; undefined if it does not fit. */
export function wholeArray(title: string, value: unknown, maxChars: number): Presented | undefined {
  const structured = visibleValue(value);
  const text = `${titleText(title)}: ${visibleText(shortJson(structured))}`;
  const fits = text.length <= maxChars && (JSON.stringify(structured)?.length ?? 0) <= maxChars;
  return fits ? { text, structured, whole: true } : undefined;
}

/** What the run tells of a large array: `min`, `max`, `mean`, and `values` as text. */
export function cutArray(title: string, value: unknown, maxChars: number, where: string): Presented {
  const { values, ...range } = Object(visibleValue(value, 2 * ARRAY_CHARS)) as Record<string, unknown>;
  const facts = Object.entries(range).map(([key, fact]) => `${key} ${clip(shortJson(fact), 60)}`);
  const corners = typeof values === 'string' ? clip(values, ARRAY_CHARS) : '';
  return summary(title, [facts.join(', '), corners], maxChars, where);
}

function summary(title: string, lines: readonly string[], maxChars: number, where: string): Presented {
  const shown = lines.filter((line) => line !== '').map((line) => visibleText(line));
  const head = where === '' ? titleText(title) : `${titleText(title)} · ${where}`;
  const text = clip([head, ...shown].join('\n'), Math.max(400, Math.min(maxChars, 3 * SUMMARY_CHARS)));
  return { text, structured: text, whole: false };
}

function titleText(title: string): string {
  return visibleLine(clip(title, 260));
}
