import type { z } from 'zod';
import { CodeExecutionError } from '../core/errors.js';
import { nearest } from '../core/nearest.js';
import { clip } from './visible-value.js';

type Issue = z.core.$ZodIssue;

/**
 * The arguments of a call, checked. Forgives what models often do and what has one meaning only: a number, a boolean,
 * an object or a list given as its text (`"30"`, `"true"`, `"{\"a\": 1}"`), and `null` for an argument left out.
 *
 * @throws CodeExecutionError `bad_arguments` that names every wrong argument and the nearest valid name or value.
 */
export function parseArguments<I extends z.ZodObject>(input: I, given: Record<string, unknown>): z.infer<I> {
  const args = Object.fromEntries(
    Object.entries(given)
      .filter(([name, value]) => value !== null || !(name in input.shape))
      .map(([name, value]) => [name, unquoted(input.shape[name], value)]),
  );
  const result = input.safeParse(args);
  if (result.success) return result.data;
  const names = Object.keys(input.shape);
  const problems = result.error.issues.slice(0, 5).map((issue) => problem(issue, args, names));
  throw new CodeExecutionError(
    'bad_arguments',
    problems.map(([message]) => message).join('; '),
    [...new Set(problems.map(([, hint]) => hint))].join('; '),
  );
}

/** The value that a text stands for, where the schema takes no text; else the value as it is. */
function unquoted(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  if (typeof value !== 'string' || schema === undefined) return value;
  const text = value.trim();
  switch (baseType(schema)) {
    case 'number':
      return /^[+-]?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : value;
    case 'boolean':
      return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : value;
    case 'record':
    case 'object':
    case 'array':
      return /^[[{]/.test(text) ? parsedOr(value, text) : value;
    default:
      return value;
  }
}

function parsedOr(value: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return value;
  }
}

/** Kind of the schema inside `optional` and `default`. */
function baseType(schema: z.core.$ZodType): string {
  const def = schema._zod.def as { type: string; innerType?: z.core.$ZodType };
  return def.innerType === undefined ? def.type : baseType(def.innerType);
}

/** What is wrong, and the next step. */
function problem(issue: Issue, args: Record<string, unknown>, names: readonly string[]): [string, string] {
  const name = issue.path.join('.');
  const value = issue.path.length > 0 ? args[String(issue.path[0])] : args;
  const all = names.length === 0 ? 'this tool takes no arguments' : `arguments are: ${names.join(', ')}`;
  switch (issue.code) {
    case 'unrecognized_keys':
      return [issue.keys.map((key) => unknownArgument(key, names)).join('; '), all];
    case 'invalid_type':
      if (value === undefined) return [`argument "${name}" is missing`, all];
      return [
        `"${name}" must be ${article(issue.expected)}, got ${shown(value)}`,
        typeHint(issue.expected, value),
      ];
    case 'invalid_value': {
      const values = issue.values.map(String);
      const near = typeof value === 'string' ? nearest(value, values) : undefined;
      const meant = near === undefined ? '' : ` (did you mean "${near}"?)`;
      return [`"${name}" cannot be ${shown(value)}${meant}`, `"${name}" is one of: ${values.join(', ')}`];
    }
    case 'too_small':
      if (value === '') return [`"${name}" is empty`, `give "${name}" some text`];
      return [`"${name}" is too small: ${shown(value)}`, `"${name}" is at least ${issue.minimum}`];
    case 'too_big':
      return [`"${name}" is too large: ${shown(value)}`, `"${name}" is at most ${issue.maximum}`];
    default:
      return [`"${name}": ${issue.message}`, all];
  }
}

function unknownArgument(key: string, names: readonly string[]): string {
  const near = nearest(key, names);
  return `unknown argument ${JSON.stringify(clip(key, 80))}${near === undefined ? '' : ` (did you mean "${near}"?)`}`;
}

function typeHint(expected: string, value: unknown): string {
  if (expected !== 'string') return `pass ${article(expected)}`;
  return typeof value === 'object' ? 'pass text; for data that is its JSON text' : 'pass text';
}

function article(expected: string): string {
  if (expected === 'int') return 'a whole number';
  if (expected === 'record' || expected === 'object') return 'an object';
  return expected === 'array' ? 'a list' : expected === 'string' ? 'text' : `a ${expected}`;
}

/** A value in a few characters. */
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(clip(value, 60));
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
