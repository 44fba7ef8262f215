import type { JsonSchema } from '../../core/tool.js';
import { MAX_ARGUMENT_TEXT, MAX_DEPTH, MAX_ENUM, MAX_NAME, MAX_NODES, MAX_PROPERTIES } from './bounds.js';
import { cleanLine, cleanText, hasHiddenCharacters } from './clean-text.js';
import { mergeAll } from './merge-schemas.js';

type Fields = { readonly [key: string]: unknown };

/**
 * A foreign JSON Schema made safe: text cleaned, depth, properties and size bounded, local `$ref`s put in place (a cycle
 * ends in a schema that takes anything), `allOf` merged, everything that is no keyword of ours left out. A remote `$ref`
 * is never fetched; it takes anything. Where a keyword has a wrong type it is ignored: a broken schema becomes a more
 * lenient one, never an error.
 */
export function boundSchema(schema: unknown): JsonSchema {
  return new SchemaReader(schema).read(schema, 0, new Set());
}

const ANYTHING: JsonSchema = {};
const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
const MAX_VARIANTS = 20;
const MAX_EXAMPLES = 3;
/** A default or example that is longer as JSON is no help to a reader. */
const MAX_VALUE = 500;
const MAX_ENUM_TEXT = 200;
const MAX_PATTERN = 200;

class SchemaReader {
  readonly #root: unknown;
  #nodes = 0;

  constructor(root: unknown) {
    this.#root = root;
  }

  /** `open`: the references that are being resolved around this place. */
  read(value: unknown, depth: number, open: ReadonlySet<string>): JsonSchema {
    if (typeof value === 'boolean') return value;
    if (!isFields(value) || depth > MAX_DEPTH || ++this.#nodes > MAX_NODES) return ANYTHING;
    if (typeof value.$ref === 'string') return this.#resolve(value, value.$ref, depth, open);
    const own = this.#keywords(value, depth, open);
    if (!Array.isArray(value.allOf)) return own;
    const parts = value.allOf.slice(0, MAX_VARIANTS).map((part) => this.read(part, depth + 1, open));
    return mergeAll([own, ...parts]);
  }

  #resolve(value: Fields, reference: string, depth: number, open: ReadonlySet<string>): JsonSchema {
    const beside = this.#keywords({ ...value, $ref: undefined }, depth, open);
    const target = open.has(reference) ? undefined : this.#target(reference);
    if (target === undefined) return beside;
    const resolved = this.read(target, depth + 1, new Set([...open, reference]));
    // What stands beside a reference (a description of this use) is nearer than what it refers to.
    return mergeAll([beside, resolved]);
  }

  /** What a local JSON pointer points to; undefined for everything else. */
  #target(reference: string): unknown {
    if (reference === '#') return this.#root;
    if (!reference.startsWith('#/') || reference.length > 1_000) return undefined;
    let at: unknown = this.#root;
    for (const step of reference.slice(2).split('/')) {
      const key = decode(step).replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
      at = (at as Fields)[key];
    }
    return at;
  }

  #keywords(value: Fields, depth: number, open: ReadonlySet<string>): Fields {
    const kept: [string, unknown][] = [];
    const below = (schema: unknown) => this.read(schema, depth + 1, open);
    for (const key of Object.keys(value)) {
      const kind = KEYWORDS.get(key);
      if (kind === undefined) continue;
      const clean = cleanKeyword(kind, value[key], below);
      if (clean !== undefined)
        kept.push([kind === 'items' && Array.isArray(value[key]) ? 'prefixItems' : key, clean]);
    }
    if (isFields(value.properties)) this.#addProperties(value.properties, value.required, kept, below);
    return Object.fromEntries(kept);
  }

  #addProperties(
    all: Fields,
    required: unknown,
    kept: [string, unknown][],
    below: (schema: unknown) => JsonSchema,
  ): void {
    const properties = this.#properties(all, below);
    kept.push(['properties', properties]);
    const needed = names(required).filter((name) => Object.hasOwn(properties, name));
    if (needed.length > 0) kept.push(['required', needed]);
    // Some were left out: the tool takes more than is listed here.
    if (Object.keys(all).length > Object.keys(properties).length) kept.push(['additionalProperties', true]);
  }

  /** Names that hide something are left out: they could only be passed by who copies what he cannot see. */
  #properties(properties: Fields, below: (schema: unknown) => JsonSchema): Fields {
    const kept: [string, JsonSchema][] = [];
    for (const name of Object.keys(properties)) {
      if (kept.length >= MAX_PROPERTIES) break;
      if (name === '' || name.length > MAX_NAME || hasHiddenCharacters(name)) continue;
      kept.push([name, below(properties[name])]);
    }
    // From entries: assigning to a key named `__proto__` would set the prototype instead.
    return Object.fromEntries(kept);
  }
}

type Kind =
  | 'type'
  | 'text'
  | 'line'
  | 'number'
  | 'flag'
  | 'enum'
  | 'value'
  | 'examples'
  | 'pattern'
  | 'others'
  | 'items'
  | 'list';

/** Keywords that are kept, but for those of properties, by what a value of theirs must be. */
const KEYWORDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['type', 'type'],
  ['description', 'text'],
  ['title', 'line'],
  ['format', 'line'],
  ['minimum', 'number'],
  ['maximum', 'number'],
  ['exclusiveMinimum', 'number'],
  ['exclusiveMaximum', 'number'],
  ['multipleOf', 'number'],
  ['minLength', 'number'],
  ['maxLength', 'number'],
  ['minItems', 'number'],
  ['maxItems', 'number'],
  ['minProperties', 'number'],
  ['maxProperties', 'number'],
  ['nullable', 'flag'],
  ['uniqueItems', 'flag'],
  ['deprecated', 'flag'],
  ['readOnly', 'flag'],
  ['writeOnly', 'flag'],
  ['enum', 'enum'],
  ['const', 'value'],
  ['default', 'value'],
  ['examples', 'examples'],
  ['pattern', 'pattern'],
  ['additionalProperties', 'others'],
  ['items', 'items'],
  ['prefixItems', 'list'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
]);

/** The value of a keyword as it may stay; undefined if it is none that the keyword can have. */
function cleanKeyword(kind: Kind, value: unknown, below: (schema: unknown) => JsonSchema): unknown {
  switch (kind) {
    case 'type':
      return typeOf(value);
    case 'text':
      return typeof value === 'string' ? cleanText(value, MAX_ARGUMENT_TEXT) : undefined;
    case 'line':
      return typeof value === 'string' ? cleanLine(value, MAX_NAME) : undefined;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
    case 'flag':
      return typeof value === 'boolean' ? value : undefined;
    case 'value':
      return shortValue(value, MAX_VALUE);
    case 'pattern':
      return typeof value === 'string' && isPattern(value) ? value : undefined;
    case 'others':
      return typeof value === 'boolean' ? value : isFields(value) ? below(value) : undefined;
    case 'items':
      if (Array.isArray(value)) return cleanKeyword('list', value, below);
      return typeof value === 'boolean' || isFields(value) ? below(value) : undefined;
    case 'list':
      return Array.isArray(value) && value.length > 0 ? value.slice(0, MAX_VARIANTS).map(below) : undefined;
    case 'enum':
      return shortValues(value, MAX_ENUM, MAX_ENUM_TEXT);
    case 'examples':
      return shortValues(value, MAX_EXAMPLES, MAX_VALUE);
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function names(value: unknown): string[] {
  return Array.isArray(value) ? [...new Set(value.filter((item) => typeof item === 'string'))] : [];
}

/** `type` as far as it is one. Some servers write Python's or TypeScript's names. */
function typeOf(value: unknown): string | string[] | undefined {
  const known = (Array.isArray(value) ? value : [value]).flatMap((item) => {
    const name = typeof item === 'string' ? (OTHER_TYPE_NAMES.get(item) ?? item) : '';
    return TYPES.has(name) ? [name] : [];
  });
  return known.length > 1 ? [...new Set(known)] : known[0];
}

const OTHER_TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['str', 'string'],
  ['int', 'integer'],
  ['float', 'number'],
  ['bool', 'boolean'],
  ['list', 'array'],
  ['dict', 'object'],
  ['String', 'string'],
  ['Number', 'number'],
  ['Boolean', 'boolean'],
]);

/** The value if it is short as JSON, with text cleaned; else undefined. */
function shortValue(value: unknown, most: number): unknown {
  if (typeof value === 'string') return value.length <= most ? cleanText(value, most) : undefined;
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value === undefined) return undefined;
  const json = JSON.stringify(value);
  return json.length <= most && !hasHiddenCharacters(json) ? value : undefined;
}

function shortValues(value: unknown, most: number, mostEach: number): unknown[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const short = value.slice(0, most).map((item) => shortValue(item, mostEach));
  const kept = short.filter((item) => item !== undefined);
  return kept.length > 0 ? kept : undefined;
}

/** Shown only; no foreign expression is ever run. One that does not compile would only mislead. */
function isPattern(pattern: string): boolean {
  if (pattern.length > MAX_PATTERN || hasHiddenCharacters(pattern)) return false;
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
