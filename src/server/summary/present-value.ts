import type { RunValue } from '../../core/outcome.js';
import { visibleLine, visibleText } from '../visible-text.js';
import { clip, visibleValue } from '../visible-value.js';
import { SUMMARY_CHARS, shapeOf } from './shape.js';
import { asTable, tableText } from './table.js';

/** Python types whose JSON form says all; any other type is named before the value. */
const PLAIN = new Set(['dict', 'list', 'str', 'int', 'float', 'bool', 'NoneType']);

/** A value laid out for the model: whole, or its shape. */
export interface Presented {
  readonly text: string;
  /** The value itself, or the text of its shape. */
  readonly structured: unknown;
  /** False: only the shape is shown. */
  readonly whole: boolean;
}

/**
 * A value within `maxChars`: as a table or JSON, whichever is shorter, or as plain text if it is a string of several
 * lines. What is longer comes as its shape; `where` tells there how to get the whole.
 */
export function presentValue(
  { type, value, chars }: { type: RunValue['type']; value: unknown; chars: number },
  maxChars: number,
  where: () => Promise<string>,
): Presented | Promise<Presented> {
  // A table is at least a third as long as its JSON; what is far over the budget need not be laid out to see it.
  const whole = chars <= 3 * maxChars ? layOut(type, value, maxChars) : undefined;
  return whole ?? summary(type, value, maxChars, where);
}

function layOut(type: string, value: unknown, maxChars: number): Presented | undefined {
  const structured = visibleValue(value);
  const json = JSON.stringify(structured) ?? 'null';
  if (json.length > maxChars) return undefined;
  const text = visibleText(shortest(structured, json));
  return text.length <= maxChars ? { text: labelled(type, text), structured, whole: true } : undefined;
}

function shortest(value: unknown, json: string): string {
  if (typeof value === 'string') return value.includes('\n') ? value : json;
  const table = asTable(value);
  const text = table === undefined ? undefined : tableText(table);
  return text !== undefined && text.length < json.length ? text : json;
}

async function summary(
  type: string,
  value: unknown,
  maxChars: number,
  where: () => Promise<string>,
): Promise<Presented> {
  const { title, lines } = shapeOf(value);
  const text = clip(
    `${labelled(type, title)} · ${await where()}\n${lines.map((line) => visibleText(line)).join('\n')}`,
    Math.max(400, Math.min(maxChars, 2 * SUMMARY_CHARS)),
  );
  return { text, structured: text, whole: false };
}

function labelled(type: string, text: string): string {
  if (PLAIN.has(type)) return text;
  return `${visibleLine(clip(type, 60))}:${text.includes('\n') ? '\n' : ' '}${text}`;
}
