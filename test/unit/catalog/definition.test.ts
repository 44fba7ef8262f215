import { describe, expect, test } from 'vitest';
import { boundSchema } from '../../../src/catalog/definition/bound-schema.js';
import { cleanDefinition } from '../../../src/catalog/definition/clean-definition.js';
import { cleanLine, cleanText } from '../../../src/catalog/definition/clean-text.js';
import { definitionHash } from '../../../src/catalog/definition/definition-hash.js';
import type { JsonSchema } from '../../../src/core/tool.js';
import { definition } from './catalog-fixture.js';

describe('text', () => {
  test('loses what no reader sees and what reorders', () => {
    expect(cleanText('a\u202eb\u200bc\u0000d\u{e0041}e\ufefff\ud800g\u00adh\x1b[31m', 100)).toBe(
      'abcdefgh[31m',
    );
    expect(cleanText('one\r\ntwo\rthree\n', 100)).toBe('one\ntwo\nthree');
  });

  test('keeps ordinary text of any language as it is', () => {
    for (const text of ['Read a file.', 'Größe – 10 €', '使用必应搜索', 'تقرير'])
      expect(cleanText(text, 100)).toBe(text);
  });

  test('is cut with an ellipsis, never inside a character, at any length', () => {
    expect(cleanText('abcdef', 4)).toBe('abc…');
    expect(cleanText('ab😀cd', 4)).toBe('ab…');
    expect(cleanText('x'.repeat(50_000_000), 10)).toBe(`${'x'.repeat(9)}…`);
  });

  test('as a line has no breaks', () => {
    expect(cleanLine('a\n\n b\t\tc ', 100)).toBe('a b c');
    expect(cleanLine(' a', 100)).toBe('a');
  });
});

describe('a schema', () => {
  test('of an ordinary tool stays as it is', () => {
    const schema = {
      type: 'object',
      properties: {
        repo: { type: 'string', description: 'owner/name', minLength: 1, pattern: '^[^/]+/[^/]+$' },
        state: { enum: ['open', 'closed'], default: 'open' },
        labels: { type: ['array', 'null'], items: { type: 'string' } },
        filter: {
          type: 'object',
          properties: { since: { type: 'string', format: 'date' } },
          required: ['since'],
        },
        any: { anyOf: [{ type: 'string' }, { type: 'number', minimum: 0 }] },
      },
      required: ['repo'],
      additionalProperties: false,
    };
    expect(boundSchema(schema)).toEqual(schema);
  });

  test('gets local references put in place, with the words that stand beside them', () => {
    const schema = {
      type: 'object',
      properties: {
        from: { $ref: '#/$defs/Place', description: 'Start' },
        to: { $ref: '#/definitions/a~1b%20c' },
      },
      $defs: { Place: { type: 'string', description: 'A place' } },
      definitions: { 'a/b c': { type: 'integer' } },
    };
    expect(boundSchema(schema)).toEqual({
      type: 'object',
      properties: { from: { type: 'string', description: 'Start' }, to: { type: 'integer' } },
    });
  });

  test('that refers to itself ends in a schema that takes anything', () => {
    const schema = {
      type: 'object',
      properties: { node: { $ref: '#/$defs/Node' }, root: { $ref: '#' } },
      $defs: { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } } },
    };
    expect(boundSchema(schema)).toMatchObject({
      properties: { node: { type: 'object', properties: { next: {} } }, root: { type: 'object' } },
    });
  });

  test('never has a remote reference followed', () => {
    const schema = { properties: { a: { $ref: 'https://evil.example/schema.json', description: 'A' } } };
    expect(boundSchema(schema)).toEqual({ properties: { a: { description: 'A' } } });
  });

  test('does not explode by references, ten levels of ten each', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 10 }, (_, level) => [
        `l${level}`,
        {
          type: 'object',
          properties: Object.fromEntries(
            Array.from({ length: 10 }, (_, at) => [`p${at}`, { $ref: `#/$defs/l${level + 1}` }]),
          ),
        },
      ]),
    );
    // Unbounded, this is ten thousand million properties.
    const bounded = boundSchema({ $ref: '#/$defs/l0', $defs });
    expect(JSON.stringify(bounded).length).toBeLessThan(200_000);
  });

  test('with 10,000 properties keeps 200 and then takes other names', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at) => [`p${at}`, { type: 'string' }]),
    );
    const bounded = boundSchema({
      type: 'object',
      properties,
      required: ['p1', 'p9999'],
      additionalProperties: false,
    });
    expect(Object.keys((bounded as { properties: object }).properties)).toHaveLength(200);
    expect(bounded).toMatchObject({ required: ['p1'], additionalProperties: true });
  });

  test('a thousand levels deep is cut and does not overflow', () => {
    let schema: JsonSchema = { type: 'string' };
    for (let level = 0; level < 1_000; level++) schema = { type: 'object', properties: { a: schema } };
    expect(JSON.stringify(boundSchema(schema)).split('properties').length - 1).toBeLessThanOrEqual(17);
  });

  test('has allOf merged', () => {
    const schema = {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: { type: 'integer' } }, required: ['b'] },
      ],
    };
    expect(boundSchema(schema)).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'integer' } },
      required: ['a', 'b'],
    });
  });

  test('that is broken becomes a more lenient one', () => {
    for (const broken of [null, 7, 'x', [], undefined]) expect(boundSchema(broken)).toEqual({});
    const schema = {
      type: 'str',
      properties: { a: 'string', b: null, c: { type: 'wrong', enum: [], minimum: 'x', pattern: '(' } },
      required: 'a',
      items: 3,
      anyOf: [],
      default: { deep: 'x'.repeat(1_000) },
    };
    expect(boundSchema(schema)).toEqual({ type: 'string', properties: { a: {}, b: {}, c: {} } });
  });

  test('keeps a property named __proto__ as a property, and drops names that hide something', () => {
    const properties = JSON.parse('{"__proto__": {"type": "string"}, "a\\u200bb": {"type": "string"}}');
    const bounded = boundSchema({ properties }) as { properties: object };
    expect(Object.keys(bounded.properties)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(bounded.properties)).toBe(Object.prototype);
  });
});

describe('a definition', () => {
  test('without a name that can be called is left out', () => {
    for (const name of ['', 'x'.repeat(1_000_000)]) expect(cleanDefinition(definition(name))).toBeUndefined();
    expect(cleanDefinition({ ...definition('a'), name: 7 as never })).toBeUndefined();
  });

  test('has its text cleaned and its hints kept', () => {
    const annotations = { readOnlyHint: true, destructiveHint: 'no', title: 'T\u200b' } as never;
    expect(
      cleanDefinition(definition('a', `A\u202e ${'x'.repeat(9_000)}`, {}, { annotations })),
    ).toMatchObject({
      name: 'a',
      annotations: { readOnlyHint: true, title: 'T' },
    });
    expect(cleanDefinition(definition('a', 'x'.repeat(9_000)))?.description).toHaveLength(8_000);
  });

  test('takes anything if its schema is no object schema', () => {
    for (const inputSchema of [true, { type: 'string' }]) {
      expect(cleanDefinition({ name: 'a', inputSchema })?.inputSchema).toEqual({ type: 'object' });
    }
  });
});

describe('the hash of a definition', () => {
  const base = definition('a', 'Reads.', { x: { type: 'string' }, y: { type: 'number' } });

  test('does not depend on the order of keys', () => {
    const other = {
      inputSchema: { properties: { y: { type: 'number' }, x: { type: 'string' } }, type: 'object' },
      description: 'Reads.',
      name: 'a',
    };
    expect(definitionHash(other)).toBe(definitionHash(base));
    expect(definitionHash(base)).toMatch(/^[0-9a-f]{64}$/);
  });

  test('changes with anything else, hidden text too', () => {
    const others = [
      definition('b', 'Reads.', { x: { type: 'string' }, y: { type: 'number' } }),
      definition('a', 'Reads.\u200b', { x: { type: 'string' }, y: { type: 'number' } }),
      definition('a', 'Reads.', { x: { type: 'string' }, y: { type: 'integer' } }),
      definition('a', 'Reads.', { x: { type: 'string' } }),
      { ...base, annotations: { readOnlyHint: true } },
    ];
    expect(new Set([base, ...others].map(definitionHash)).size).toBe(6);
  });

  test('tells values apart that could be written alike', () => {
    const hash = (inputSchema: JsonSchema) => definitionHash({ name: 'a', inputSchema });
    expect(hash({ a: '1' })).not.toBe(hash({ a: 1 }));
    expect(hash({ a: ['b', 'c'] })).not.toBe(hash({ a: ['bc'] }));
    expect(hash({ 'a:s1': 'b' })).not.toBe(hash({ a: 's1:b' }));
  });
});
