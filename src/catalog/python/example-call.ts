import type { JsonSchema } from '../../core/tool.js';
import { pythonLiteral } from './literal.js';
import { parametersOf } from './signature.js';

type Fields = { readonly [key: string]: unknown };

/** A call with all required arguments and made-up values that fit the schema. */
export function exampleCall(id: string, schema: JsonSchema): string {
  const required = parametersOf(schema).filter((one) => one.required);
  const values = required.map(({ name, schema: own }) => [name, exampleValue(own, name, 0)] as const);
  if (values.every(([name]) => /^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(name) && !KEYWORDS.test(name))) {
    const list = values.map(([name, value]) => `${name}=${pythonLiteral(value, MAX_VALUE)}`);
    return `tools.${id}(${list.join(', ')})`;
  }
  return `tools.call(${JSON.stringify(id)}, ${pythonLiteral(Object.fromEntries(values), 10 * MAX_VALUE)})`;
}

const MAX_VALUE = 200;
/** Names that Python takes as no keyword argument. */
const KEYWORDS =
  /^(?:False|None|True|and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield)$/;

function exampleValue(schema: unknown, name: string, depth: number): unknown {
  if (typeof schema !== 'object' || schema === null || depth > 4) return name;
  const fields = schema as Fields;
  for (const given of [fields.examples, fields.enum]) {
    if (Array.isArray(given) && given.length > 0) return given[0];
  }
  if (Object.hasOwn(fields, 'const')) return fields.const;
  if (Object.hasOwn(fields, 'default') && fields.default !== null) return fields.default;
  const variants = fields.anyOf ?? fields.oneOf;
  if (Array.isArray(variants) && fields.type === undefined) {
    return exampleValue(
      variants.find((one) => (one as Fields)?.type !== 'null'),
      name,
      depth + 1,
    );
  }
  const type = Array.isArray(fields.type) ? fields.type.find((one) => one !== 'null') : fields.type;
  switch (type) {
    case 'integer':
    case 'number':
      return typeof fields.minimum === 'number' ? fields.minimum : 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return [exampleValue(fields.items ?? {}, name.replace(/s$/, ''), depth + 1)];
    case 'object':
      return Object.fromEntries(
        parametersOf(fields)
          .filter((one) => one.required)
          .map((one) => [one.name, exampleValue(one.schema, one.name, depth + 1)]),
      );
    default:
      return text(fields, name);
  }
}

function text(fields: Fields, name: string): string {
  switch (fields.format) {
    case 'date':
      return '2026-01-31';
    case 'date-time':
      return '2026-01-31T12:00:00Z';
    case 'time':
      return '12:00:00Z';
    case 'email':
      return 'name@example.org';
    case 'uri':
    case 'url':
      return 'https://example.org';
    case 'uuid':
      return '00000000-0000-0000-0000-000000000000';
    default:
      return name;
  }
}
