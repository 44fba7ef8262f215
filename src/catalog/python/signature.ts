import type { JsonSchema } from '../../core/tool.js';
import { pythonLiteral } from './literal.js';
import { BARE, BRIEF, nameText, pythonType, type TypeDetail, WHOLE } from './python-type.js';

type Fields = { readonly [key: string]: unknown };

/** An argument of a tool in the order of its Python function: required ones first, each group as in the schema. */
export interface Parameter {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** How much of a signature is written out. */
export interface SignatureDetail {
  readonly required: TypeDetail;
  readonly optional: TypeDetail;
  /** Optional arguments shown at most; the others are counted. */
  readonly optionals: number;
  /** Characters of argument text after which no further optional argument is shown. */
  readonly budget: number;
}

/** One of five in a search answer: what a call needs, and some of what it may have. */
export const SHORT: SignatureDetail = { required: BRIEF, optional: BARE, optionals: 8, budget: 80 };
/** The signature of the one tool that was asked about. */
export const FULL: SignatureDetail = { required: WHOLE, optional: WHOLE, optionals: 40, budget: 4_000 };

const MAX_DEFAULT = 40;

/** The arguments that a bounded schema names. */
export function parametersOf(schema: JsonSchema): Parameter[] {
  if (typeof schema === 'boolean') return [];
  const required = new Set((schema.required ?? []) as string[]);
  const all = Object.entries((schema.properties ?? {}) as Fields).map(([name, property]) => ({
    name,
    schema: property as JsonSchema,
    required: required.has(name),
  }));
  return [...all.filter((one) => one.required), ...all.filter((one) => !one.required)];
}

/**
 * `server.tool(repo: str, labels?: list[str], per_page=30, +5 optional) -> list[dict]`: required arguments first, `?`
 * at optional ones without default, and the default in place of a type that it makes plain. `returns` is the text behind
 * the arrow; without it there is no arrow.
 */
export function signatureText(
  id: string,
  schema: JsonSchema,
  returns: string | undefined,
  detail: SignatureDetail,
): string {
  const parameters = parametersOf(schema);
  const shown = parameters
    .filter((one) => one.required)
    .map((one) => `${nameText(one.name)}: ${pythonType(one.schema, detail.required)}`);
  const optional = parameters.filter((one) => !one.required);
  let length = shown.join(', ').length;
  let listed = 0;
  for (const one of optional.slice(0, detail.optionals)) {
    const text = optionalText(one, detail.optional);
    if (listed > 0 && length + text.length > detail.budget) break;
    shown.push(text);
    length += text.length + 2;
    listed += 1;
  }
  if (optional.length > listed) shown.push(`+${optional.length - listed} optional`);
  if (shown.length === 0 && takesAnything(schema)) shown.push('**arguments');
  return `${id}(${shown.join(', ')})${returns === undefined ? '' : ` -> ${returns}`}`;
}

function optionalText({ name: own, schema }: Parameter, detail: TypeDetail): string {
  const name = nameText(own);
  const type = pythonType(schema, detail);
  const fallback = typeof schema === 'object' && schema.default !== null ? schema.default : undefined;
  // None is what leaving it out means.
  if (fallback === undefined) return `${name}?: ${type.replace(/ \| None$/, '')}`;
  const value = pythonLiteral(fallback, MAX_DEFAULT);
  return type === PLAIN_TYPES.get(typeof fallback) || (type === 'int' && Number.isInteger(fallback))
    ? `${name}=${value}`
    : `${name}: ${type} = ${value}`;
}

/** Types that a reader sees in a value of it. */
const PLAIN_TYPES: ReadonlyMap<string, string> = new Map([
  ['string', 'str'],
  ['boolean', 'bool'],
  ['number', 'float'],
]);

function takesAnything(schema: JsonSchema): boolean {
  if (typeof schema === 'boolean') return schema;
  return schema.additionalProperties !== undefined && schema.additionalProperties !== false;
}
