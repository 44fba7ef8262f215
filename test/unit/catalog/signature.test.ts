import { describe, expect, test } from 'vitest';
import { exampleCall } from '../../../src/catalog/python/example-call.js';
import { pythonLiteral } from '../../../src/catalog/python/literal.js';
import { BRIEF, pythonType, WHOLE } from '../../../src/catalog/python/python-type.js';
import { seenShape } from '../../../src/catalog/python/seen-shape.js';
import { FULL, SHORT, signatureText } from '../../../src/catalog/python/signature.js';
import type { JsonSchema } from '../../../src/core/tool.js';

const string = { type: 'string' };

test.each<[JsonSchema, string]>([
  [string, 'str'],
  [{ type: 'integer' }, 'int'],
  [{ type: 'number' }, 'float'],
  [{ type: 'boolean' }, 'bool'],
  [{ type: 'null' }, 'None'],
  [{}, 'Any'],
  [true, 'Any'],
  [{ type: ['string', 'null'] }, 'str | None'],
  [{ type: 'string', nullable: true }, 'str | None'],
  [{ anyOf: [{ type: 'null' }, string, { type: 'integer' }] }, 'str | int | None'],
  [{ oneOf: [string, string] }, 'str'],
  [{ anyOf: [{ const: 'a' }, { const: 'b' }, { type: 'integer' }] }, 'Literal["a", "b"] | int'],
  [{ enum: ['a', 'b'] }, 'Literal["a", "b"]'],
  [{ enum: [1, null, true] }, 'Literal[1, None, True]'],
  [{ enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] }, 'Literal["a", "b", "c", "d", "e", "f", ... +2]'],
  [{ const: 'x' }, 'Literal["x"]'],
  [{ type: 'array' }, 'list'],
  [{ type: 'array', items: string }, 'list[str]'],
  [{ items: { items: string } }, 'list[list[str]]'],
  [{ type: 'array', prefixItems: [string, { type: 'integer' }] }, 'tuple[str, int]'],
  [{ type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }] }, 'list[float]'],
  [{ type: 'object' }, 'dict'],
  [{ type: 'object', additionalProperties: { type: 'integer' } }, 'dict[str, int]'],
  [
    { properties: { title: string, labels: { type: 'array', items: string } }, required: ['title'] },
    '{title: str, labels?: list[str]}',
  ],
  [{ properties: { a: { properties: { b: string } } } }, '{a?: dict}'],
  [{ properties: { 'odd key': string } }, '{"odd key"?: str}'],
  [
    { type: 'array', items: { properties: { id: { type: 'integer' } }, required: ['id'] } },
    'list[{id: int}]',
  ],
])('the type of %j is %s', (schema, expected) => {
  expect(pythonType(schema, BRIEF)).toBe(expected);
});

test('a whole type shows deeper objects and more values', () => {
  const schema = { properties: { a: { properties: { b: { properties: { c: string } } } } } };
  expect(pythonType(schema, WHOLE)).toBe('{a?: {b?: {c?: str}}}');
});

describe('a signature', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      state: { enum: ['open', 'closed'], default: 'open' },
      repo: string,
      labels: { type: 'array', items: string },
      page: { type: 'integer', default: 1 },
      draft: { type: 'boolean', default: false },
      since: { type: ['string', 'null'] },
    },
    required: ['repo'],
  };

  test('has required arguments first, defaults in place of plain types, and "?" where there is none', () => {
    expect(signatureText('code.list', schema, undefined, FULL)).toBe(
      'code.list(repo: str, state: Literal["open", "closed"] = "open", labels?: list[str], page=1, draft=False, since?: str)',
    );
  });

  test('shows what fits, and counts the other optional arguments', () => {
    expect(signatureText('code.list', schema, 'list[dict]', SHORT)).toBe(
      'code.list(repo: str, state: Literal["open", "closed"] = "open", labels?: list[str], page=1, +2 optional) -> list[dict]',
    );
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`a${at}`, { type: 'integer' }]));
    const text = signatureText('x.y', { properties: many }, undefined, { ...SHORT, budget: 1_000 });
    expect(text).toContain('a7?: int, +4 optional)');
  });

  test('never leaves out a required argument', () => {
    const names = Array.from({ length: 30 }, (_, at) => `argument_${at}`);
    const properties = Object.fromEntries(names.map((name) => [name, string]));
    const text = signatureText('x.y', { properties, required: names }, undefined, SHORT);
    for (const name of names) expect(text).toContain(`${name}: str`);
  });

  test('of a tool without arguments is empty, of one that takes any says so', () => {
    expect(signatureText('x.y', { type: 'object' }, undefined, SHORT)).toBe('x.y()');
    expect(signatureText('x.y', { additionalProperties: true }, undefined, SHORT)).toBe('x.y(**arguments)');
  });
});

describe('an example call', () => {
  test('has all required arguments with values that fit', () => {
    const schema = {
      properties: {
        repo: { ...string, examples: ['a/b'] },
        kind: { enum: ['x', 'y'] },
        count: { type: 'integer', minimum: 5 },
        tags: { type: 'array', items: string },
        when: { ...string, format: 'date' },
        place: { properties: { lat: { type: 'number' } }, required: ['lat'] },
        deep: { type: 'object', properties: { a: string, b: string }, required: ['a'] },
        ignored: string,
      },
      required: ['repo', 'kind', 'count', 'tags', 'when', 'deep'],
    };
    expect(exampleCall('x.y', schema)).toBe(
      'tools.x.y(repo="a/b", kind="x", count=5, tags=["tag"], when="2026-01-31", deep={"a": "a"})',
    );
  });

  test('passes names that are no Python names in a dict', () => {
    const schema = {
      properties: { 'per-page': { type: 'integer' }, from: string },
      required: ['per-page', 'from'],
    };
    expect(exampleCall('x.y', schema)).toBe('tools.call("x.y", {"per-page": 1, "from": "from"})');
  });
});

test('literals are Python, not JSON', () => {
  expect(pythonLiteral([true, false, null, 'a"b', { k: 1.5 }])).toBe(
    '[True, False, None, "a\\"b", {"k": 1.5}]',
  );
  expect(pythonLiteral('x'.repeat(100), 10)).toBe('"xxxxx..."');
});

describe('the shape of a result', () => {
  const typed = (value: unknown) => pythonType(seenShape(value), WHOLE);

  test('is its types and keys; keys that only some items have are optional', () => {
    expect(
      typed([
        { id: 1, name: 'a' },
        { id: 2, tags: ['x'] },
      ]),
    ).toBe('list[{id: int, name?: str, tags?: list[str]}]');
    expect(typed({ total: 1.5, next: null })).toBe('{total: float, next: None}');
    expect(typed('text')).toBe('str');
    expect(typed([1, 'a'])).toBe('list[int | str]');
  });

  test('holds no keys that look like data, and nothing of the values', () => {
    expect(typed({ '2026-01-01': 1 })).toBe('dict');
    expect(typed({ alice_1234: 1 })).toBe('dict');
    expect(typed(Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, at])))).toBe('dict');
    expect(JSON.stringify(seenShape({ secret: 'hunter2' }))).not.toContain('hunter2');
  });

  test('takes constant work for a value of any size', () => {
    let looked = 0;
    const item = {
      get at() {
        looked += 1;
        return 1;
      },
    };
    expect(typed(Array.from({ length: 500_000 }, () => item))).toBe('list[{at: int}]');
    expect(looked).toBe(5);
  });
});
