import type { JsonSchema } from '../../core/tool.js';
import { cleanLine } from '../definition/clean-text.js';

/** Items of a list that are looked at: like items are alike. */
const MAX_ITEMS = 5;
const MAX_KEYS = 20;
const MAX_LEVELS = 4;
const MAX_KEY_LENGTH = 60;

/**
 * The schema of a value that a tool returned: types and keys, never content. Keys that look like data (a dict by id, by
 * date) are not kept. Constant work for a value of any size.
 */
export function seenShape(value: unknown): JsonSchema {
  return shapeOf(value, MAX_LEVELS);
}

function shapeOf(value: unknown, levels: number): JsonSchema {
  if (value === null || value === undefined) return { type: 'null' };
  if (typeof value === 'string') return { type: 'string' };
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  if (typeof value !== 'object') return {};
  if (Array.isArray(value)) {
    if (levels <= 0 || value.length === 0) return { type: 'array' };
    return {
      type: 'array',
      items: common(value.slice(0, MAX_ITEMS).map((item) => shapeOf(item, levels - 1))),
    };
  }
  return levels <= 0 ? { type: 'object' } : objectShape(value, levels);
}

function objectShape(value: object, levels: number): JsonSchema {
  const properties: [string, JsonSchema][] = [];
  let looked = 0;
  for (const name in value) {
    if (++looked > MAX_KEYS) return { type: 'object', additionalProperties: true };
    if (!isFieldName(name)) return { type: 'object', additionalProperties: true };
    properties.push([name, shapeOf((value as Record<string, unknown>)[name], levels - 1)]);
  }
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
  };
}

/** A word, not an identifier of a record: what a person could be named by must not become part of a signature. */
function isFieldName(name: string): boolean {
  return /^[A-Za-z_$][\w$-]*$/.test(name) && !/\d{3}/.test(name) && cleanLine(name, MAX_KEY_LENGTH) === name;
}

/** One shape for all items: the keys that every item has are certain, the others are optional. */
function common(shapes: readonly JsonSchema[]): JsonSchema {
  const objects = shapes.flatMap((shape) =>
    typeof shape === 'object' && shape.properties !== undefined
      ? [shape as { properties: Record<string, JsonSchema> }]
      : [],
  );
  if (objects.length === shapes.length && objects.length > 0) {
    const properties = new Map<string, JsonSchema[]>();
    for (const { properties: own } of objects) {
      for (const [name, shape] of Object.entries(own))
        properties.set(name, [...(properties.get(name) ?? []), shape]);
    }
    return {
      type: 'object',
      properties: Object.fromEntries([...properties].map(([name, list]) => [name, common(list)])),
      required: [...properties].flatMap(([name, list]) => (list.length === objects.length ? [name] : [])),
    };
  }
  const distinct = [...new Map(shapes.map((shape) => [JSON.stringify(shape), shape])).values()];
  return distinct.length === 1 ? (distinct[0] ?? {}) : { anyOf: distinct };
}
