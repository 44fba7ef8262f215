import { nearest } from '../../core/nearest.js';
import type { JsonSchema } from '../../core/tool.js';
import { pythonLiteral } from './literal.js';
import { BRIEF, pythonType } from './python-type.js';
import { type Parameter, parametersOf } from './signature.js';

type Fields = { readonly [key: string]: unknown };

/** The arguments as the tool wants them, or everything that is wrong with them in Python's words. */
export type CheckedArguments =
  | { readonly ok: true; readonly args: Record<string, unknown> }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Values looked at in one check: a list of a million rows is not read twice. */
const MAX_CHECKED = 20_000;
const MAX_PROBLEMS = 5;
const MAX_DEPTH = 32;

/**
 * Binds and checks the arguments of a call against the tool's bounded schema: positional ones in the order of the
 * signature, missing and unknown names, basic types, enumerations. An argument that is None means "left out" where the
 * tool does not take None. Numbers' ranges, patterns and formats are left to the tool; so is everything that the schema
 * does not tell. Linear, bounded; runs no expression of the schema.
 */
export function checkArguments(
  tool: string,
  schema: JsonSchema,
  positional: readonly unknown[],
  keyword: Readonly<Record<string, unknown>>,
): CheckedArguments {
  const parameters = parametersOf(schema);
  const meant = keywordsInDict(parameters, positional, keyword);
  if (meant !== undefined) return checkArguments(tool, schema, [], meant);
  const problems: string[] = [];
  const given = new Map<string, unknown>();
  if (positional.length > parameters.length) {
    const takes =
      parameters.length === 1 ? '1 positional argument' : `${parameters.length} positional arguments`;
    problems.push(`${tool}() takes ${takes} but ${positional.length} were given`);
  }
  positional.forEach((value, index) => {
    const parameter = parameters[index];
    if (parameter !== undefined) given.set(parameter.name, value);
  });
  for (const [name, value] of Object.entries(keyword)) {
    if (given.has(name)) problems.push(`${tool}() got multiple values for argument '${name}'`);
    given.set(name, value);
  }
  const known = new Map(parameters.map((one) => [one.name, one]));
  const checker = new ValueChecker(problems);
  const args: [string, unknown][] = [];
  for (const [name, value] of given) {
    const parameter = known.get(name);
    if (parameter === undefined) {
      if (takesOthers(schema)) args.push([name, value]);
      else problems.push(unexpected(tool, name, [...known.keys()]));
      continue;
    }
    if (value === null && !parameter.required && !fits(parameter.schema, null)) continue;
    checker.check(parameter.schema, value, `argument '${name}'`, 0);
    args.push([name, value]);
  }
  const absent = parameters.filter((one) => one.required && !given.has(one.name)).map((one) => one.name);
  if (absent.length > 0) problems.unshift(missing(tool, absent));
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, MAX_PROBLEMS) };
  return { ok: true, args: Object.fromEntries(args) };
}

/**
 * Models write `tool({"path": "a"})` for `tool(path="a")`. Meant so if all keys are arguments of the tool, and the dict is
 * either no value of the first argument, or has all that is required.
 */
function keywordsInDict(
  parameters: readonly Parameter[],
  positional: readonly unknown[],
  keyword: Readonly<Record<string, unknown>>,
): Fields | undefined {
  const [dict] = positional;
  const [first] = parameters;
  if (positional.length !== 1 || Object.keys(keyword).length > 0 || first === undefined) return undefined;
  if (!isOf('object', dict)) return undefined;
  const keys = Object.keys(dict as Fields);
  const names = new Set(parameters.map(({ name }) => name));
  if (keys.length === 0 || !keys.every((key) => names.has(key))) return undefined;
  const isComplete =
    first.required && parameters.every(({ name, required }) => !required || keys.includes(name));
  return isComplete || !fits(first.schema, dict) ? (dict as Fields) : undefined;
}

/** A schema that lists nothing, or says so, takes other names; one that lists its arguments means all of them. */
function takesOthers(schema: JsonSchema): boolean {
  if (typeof schema === 'boolean') return schema;
  if (schema.additionalProperties !== undefined) return schema.additionalProperties !== false;
  return Object.keys((schema.properties ?? {}) as Fields).length === 0;
}

function unexpected(tool: string, name: string, known: readonly string[]): string {
  const shown = name.length > 80 ? `${name.slice(0, 80)}...` : name;
  const near = nearest(name, known);
  const advice =
    near !== undefined
      ? `. Did you mean '${near}'?`
      : known.length === 0
        ? '; it takes no arguments'
        : `; it takes ${known.slice(0, 20).join(', ')}${known.length > 20 ? ', ...' : ''}`;
  return `${tool}() got an unexpected keyword argument '${shown}'${advice}`;
}

function missing(tool: string, names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  const last = quoted.pop() ?? '';
  const list = quoted.length === 0 ? last : `${quoted.join(', ')} and ${last}`;
  return `${tool}() missing ${names.length} required argument${names.length === 1 ? '' : 's'}: ${list}`;
}

/** Whether a value is of the schema's kind, at its surface: nothing below it is looked at. */
function fits(schema: JsonSchema, value: unknown): boolean {
  if (typeof schema === 'boolean') return schema;
  if (schema.nullable === true && value === null) return true;
  if (Object.hasOwn(schema, 'const')) return same(schema.const, value);
  if (Array.isArray(schema.enum)) return schema.enum.some((one) => same(one, value));
  const variants = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(variants) && !variants.some((one) => fits(one as JsonSchema, value))) return false;
  if (schema.type === undefined) return true;
  return (Array.isArray(schema.type) ? schema.type : [schema.type]).some((type) => isOf(type, value));
}

function isOf(type: unknown, value: unknown): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return true;
  }
}

/** Equality of JSON values as enumerations have them: nearly always scalars. */
function same(a: unknown, b: unknown): boolean {
  return (
    a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b))
  );
}

class ValueChecker {
  readonly #problems: string[];
  #checked = 0;

  constructor(problems: string[]) {
    this.#problems = problems;
  }

  check(schema: JsonSchema, value: unknown, place: string, depth: number): void {
    if (++this.#checked > MAX_CHECKED || depth > MAX_DEPTH || this.#problems.length >= MAX_PROBLEMS) return;
    if (typeof schema === 'boolean') return;
    if (!fits(schema, value)) {
      this.#problems.push(`${place} ${mismatch(schema, value)}`);
      return;
    }
    const own = this.#variant(schema, value);
    if (Array.isArray(value)) this.#checkItems(own, value, place, depth);
    else if (typeof value === 'object' && value !== null)
      this.#checkFields(own, value as Fields, place, depth);
  }

  /** The schema that tells about the inside of the value; undefined if several might. */
  #variant(schema: Fields, value: unknown): Fields {
    const variants = schema.anyOf ?? schema.oneOf;
    if (!Array.isArray(variants)) return schema;
    const fitting = variants.filter((one) => fits(one as JsonSchema, value));
    return fitting.length === 1 && typeof fitting[0] === 'object' ? (fitting[0] as Fields) : {};
  }

  #checkItems(schema: Fields, items: readonly unknown[], place: string, depth: number): void {
    if (schema.items === undefined || schema.prefixItems !== undefined) return;
    for (let index = 0; index < items.length && this.#checked <= MAX_CHECKED; index++) {
      this.check(schema.items as JsonSchema, items[index], `${place}[${index}]`, depth + 1);
    }
  }

  #checkFields(schema: Fields, value: Fields, place: string, depth: number): void {
    const properties = (schema.properties ?? {}) as Fields;
    for (const name of (schema.required ?? []) as string[]) {
      if (!Object.hasOwn(value, name))
        this.#problems.push(`${place} has no key '${name}', which is required`);
    }
    for (const [name, item] of Object.entries(value)) {
      if (this.#checked > MAX_CHECKED) return;
      if (Object.hasOwn(properties, name)) {
        this.check(properties[name] as JsonSchema, item, `${place}['${name}']`, depth + 1);
      } else if (schema.additionalProperties === false && Object.keys(properties).length > 0) {
        const near = nearest(name, Object.keys(properties));
        const advice = near === undefined ? '' : `; did you mean '${near}'?`;
        this.#problems.push(`${place} has an unknown key '${name.slice(0, 80)}'${advice}`);
      }
    }
  }
}

function mismatch(schema: Fields, value: unknown): string {
  const values = Object.hasOwn(schema, 'const') ? [schema.const] : schema.enum;
  if (Array.isArray(values)) {
    const texts = values.filter((one) => typeof one === 'string');
    const near = typeof value === 'string' ? nearest(value, texts) : undefined;
    const listed = values
      .slice(0, 20)
      .map((one) => pythonLiteral(one, 40))
      .join(', ');
    const more = values.length > 20 ? ', ...' : '';
    const advice = near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`;
    return `must be one of ${listed}${more}, not ${pythonLiteral(value, 60)}${advice}`;
  }
  const expected = pythonType(schema as JsonSchema, BRIEF);
  return `must be ${expected}, not ${kindOf(value)}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'None';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : `float (${value})`;
  return typeof value === 'string'
    ? `str (${pythonLiteral(value, 40)})`
    : typeof value === 'boolean'
      ? 'bool'
      : 'dict';
}
