import type { JsonSchema } from '../../core/tool.js';
import { cutClosed, pythonLiteral } from './literal.js';

type Fields = { readonly [key: string]: unknown };

/** How much of a type is written out. */
export interface TypeDetail {
  /** Levels of objects whose keys are shown. */
  readonly levels: number;
  /** Keys shown of one object. */
  readonly keys: number;
  /** Values shown of one enumeration. */
  readonly values: number;
}

/** No keys of objects: `dict`, `list[dict]`. */
export const BARE: TypeDetail = { levels: 0, keys: 0, values: 4 };
export const BRIEF: TypeDetail = { levels: 1, keys: 6, values: 6 };
export const WHOLE: TypeDetail = { levels: 3, keys: 20, values: 30 };

const MAX_VARIANTS = 4;
/** One type in a signature; behind it a reader looks up the schema. */
const MAX_TEXT = 300;

/**
 * A bounded schema as a short Python type: `Literal["a", "b"]`, `list[str]`, `int | None`, and
 * `{title: str, labels?: list[str]}` for a dict with known keys. Never throws; `Any` where the schema tells nothing.
 */
export function pythonType(schema: JsonSchema | undefined, detail: TypeDetail): string {
  const text = typeText(schema, detail, detail.levels);
  return text.length <= MAX_TEXT ? text : cutClosed(typeText(schema, detail, 0), MAX_TEXT);
}

/** A name of an argument or key: as it is if it looks like one, else in quotes, for it is foreign text. */
export function nameText(name: string): string {
  return /^[\p{L}\p{N}_.@/-]+$/u.test(name) ? name : JSON.stringify(name);
}

function typeText(schema: unknown, detail: TypeDetail, levels: number): string {
  return typesOf(schema, detail, levels).join(' | ');
}

/** The types of which a value has one, None last. */
function typesOf(schema: unknown, detail: TypeDetail, levels: number): string[] {
  if (typeof schema !== 'object' || schema === null) return ['Any'];
  const fields = schema as Fields;
  const variants = variantsOf(fields, detail, levels);
  if (fields.nullable === true && !variants.includes('None')) variants.push('None');
  const distinct = [...new Set(variants)];
  if (distinct.length === 0 || distinct.includes('Any')) return ['Any'];
  const shown = distinct.filter((one) => one !== 'None').slice(0, MAX_VARIANTS);
  if (distinct.includes('None')) shown.push('None');
  return merged(shown);
}

/** `Literal["a"] | Literal["b"]` is `Literal["a", "b"]`. */
function merged(types: readonly string[]): string[] {
  const literals = types.filter((type) => type.startsWith('Literal['));
  if (literals.length < 2) return [...types];
  const values = literals.map((type) => type.slice('Literal['.length, -1)).join(', ');
  return [`Literal[${values}]`, ...types.filter((type) => !type.startsWith('Literal['))];
}

function variantsOf(fields: Fields, detail: TypeDetail, levels: number): string[] {
  if (Object.hasOwn(fields, 'const')) return [`Literal[${pythonLiteral(fields.const, 40)}]`];
  if (Array.isArray(fields.enum) && fields.enum.length > 0) return [enumType(fields.enum, detail)];
  const alternatives = fields.anyOf ?? fields.oneOf;
  if (Array.isArray(alternatives) && fields.properties === undefined) {
    return alternatives.flatMap((item) => typesOf(item, detail, levels));
  }
  const types = Array.isArray(fields.type) ? fields.type : [fields.type ?? guessedType(fields)];
  return types.map((type) => simpleType(type, fields, detail, levels));
}

/** The type that the other keywords speak of. */
function guessedType(fields: Fields): string | undefined {
  if (fields.properties !== undefined || fields.additionalProperties !== undefined) return 'object';
  return fields.items !== undefined || fields.prefixItems !== undefined ? 'array' : undefined;
}

function enumType(values: readonly unknown[], detail: TypeDetail): string {
  const shown = values.slice(0, detail.values).map((value) => pythonLiteral(value, 40));
  if (values.length > shown.length) shown.push(`... +${values.length - shown.length}`);
  return `Literal[${shown.join(', ')}]`;
}

function simpleType(type: unknown, fields: Fields, detail: TypeDetail, levels: number): string {
  switch (type) {
    case 'string':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'array':
      return arrayType(fields, detail, levels);
    case 'object':
      return objectType(fields, detail, levels);
    default:
      return 'Any';
  }
}

function arrayType(fields: Fields, detail: TypeDetail, levels: number): string {
  if (Array.isArray(fields.prefixItems) && fields.prefixItems.length > 0) {
    const parts = fields.prefixItems.slice(0, MAX_VARIANTS).map((item) => typeText(item, detail, levels));
    return new Set(parts).size === 1 ? `list[${parts[0]}]` : `tuple[${parts.join(', ')}]`;
  }
  const item = typeText(fields.items, detail, levels);
  return item === 'Any' ? 'list' : `list[${item}]`;
}

function objectType(fields: Fields, detail: TypeDetail, levels: number): string {
  const properties = Object.entries((fields.properties ?? {}) as Fields);
  if (properties.length === 0) {
    const value = typeText(fields.additionalProperties, detail, levels - 1);
    return value === 'Any' ? 'dict' : `dict[str, ${value}]`;
  }
  if (levels <= 0) return 'dict';
  const required = new Set((fields.required ?? []) as string[]);
  const ordered = [
    ...properties.filter(([name]) => required.has(name)),
    ...properties.filter(([name]) => !required.has(name)),
  ];
  const shown = ordered
    .slice(0, detail.keys)
    .map(
      ([name, schema]) =>
        `${nameText(name)}${required.has(name) ? '' : '?'}: ${typeText(schema, detail, levels - 1)}`,
    );
  if (ordered.length > shown.length) shown.push(`... +${ordered.length - shown.length}`);
  return `{${shown.join(', ')}}`;
}
