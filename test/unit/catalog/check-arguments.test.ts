import { describe, expect, test } from 'vitest';
import { checkArguments } from '../../../src/catalog/python/check-arguments.js';
import type { JsonSchema } from '../../../src/core/tool.js';

const schema: JsonSchema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    count: { type: 'integer' },
    state: { enum: ['open', 'closed'] },
    labels: { type: 'array', items: { type: 'string' } },
    ratio: { type: ['number', 'null'] },
    where: {
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
      additionalProperties: false,
    },
    id: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  },
  required: ['title'],
};
const problemsOf = (
  keyword: Record<string, unknown>,
  positional: unknown[] = [],
  own: JsonSchema = schema,
) => {
  const checked = checkArguments('create', own, positional, keyword);
  return checked.ok ? [] : checked.problems;
};

test('arguments that fit are bound by name and by place, required ones first', () => {
  expect(checkArguments('create', schema, ['a', 3], { state: 'open' })).toEqual({
    ok: true,
    args: { title: 'a', count: 3, state: 'open' },
  });
});

test.each<[string, Record<string, unknown>, string]>([
  ['missing', {}, "create() missing 1 required argument: 'title'"],
  [
    'misspelt',
    { title: 'a', labls: [] },
    "create() got an unexpected keyword argument 'labls'. Did you mean 'labels'?",
  ],
  [
    'unknown',
    { title: 'a', zzz: 1 },
    "create() got an unexpected keyword argument 'zzz'; it takes title, count, state, labels, ratio, where, id",
  ],
  ['number for text', { title: 1 }, "argument 'title' must be str, not int"],
  ['text for number', { title: 'a', count: '3' }, `argument 'count' must be int, not str ("3")`],
  ['fraction for int', { title: 'a', count: 1.5 }, "argument 'count' must be int, not float (1.5)"],
  ['bool for number', { title: 'a', count: true }, "argument 'count' must be int, not bool"],
  ['None for a required one', { title: null }, "argument 'title' must be str, not None"],
  [
    'wrong value',
    { title: 'a', state: 'opened' },
    `argument 'state' must be one of "open", "closed", not "opened"; did you mean "open"?`,
  ],
  ['wrong item', { title: 'a', labels: ['x', 1] }, "argument 'labels'[1] must be str, not int"],
  ['text for a list', { title: 'a', labels: 'x' }, `argument 'labels' must be list[str], not str ("x")`],
  ['missing key', { title: 'a', where: {} }, "argument 'where' has no key 'path', which is required"],
  ['wrong key value', { title: 'a', where: { path: 1 } }, "argument 'where'['path'] must be str, not int"],
  [
    'unknown key',
    { title: 'a', where: { path: 'p', pth: 1 } },
    "argument 'where' has an unknown key 'pth'; did you mean 'path'?",
  ],
  ['none of several kinds', { title: 'a', id: [] }, "argument 'id' must be str | int, not list"],
])("%s: told in Python's words", (_what, keyword, expected) => {
  expect(problemsOf(keyword)).toEqual([expected]);
});

test('several problems are told at once, five at most', () => {
  expect(problemsOf({ count: 'x', state: 1 })).toHaveLength(3);
  expect(problemsOf(Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`u${at}`, 1])))).toHaveLength(
    5,
  );
});

test('too many and repeated positional arguments are refused', () => {
  const one = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
  expect(problemsOf({}, ['x', 'y'], one)).toEqual(['create() takes 1 positional argument but 2 were given']);
  expect(problemsOf({ a: 'x' }, ['y'], one)).toEqual(["create() got multiple values for argument 'a'"]);
});

test('None for an optional argument means left out, unless the tool takes None', () => {
  expect(checkArguments('create', schema, [], { title: 'a', count: null, ratio: null })).toEqual({
    ok: true,
    args: { title: 'a', ratio: null },
  });
});

test('a whole float is an int, and an int a float', () => {
  expect(problemsOf({ title: 'a', count: 3.0, ratio: 2 })).toEqual([]);
});

describe('where the schema tells little, little is checked', () => {
  test.each<[JsonSchema, Record<string, unknown>]>([
    [{ type: 'object' }, { anything: 1 }],
    [true, { anything: 1 }],
    [{ properties: { a: {} } }, { a: [1, 'x', null] }],
    [{ properties: { a: { type: 'string' } }, additionalProperties: true }, { b: 1 }],
    [
      {
        properties: {
          a: { anyOf: [{ type: 'object', properties: { x: { type: 'string' } } }, { type: 'object' }] },
        },
      },
      { a: { x: 1 } },
    ],
    [{ properties: { a: { pattern: '(a+)+$', type: 'string' } } }, { a: `${'a'.repeat(5_000)}!` }],
  ])('%j takes %j', (own, keyword) => {
    expect(problemsOf(keyword, [], own)).toEqual([]);
  });
});

test('of a list of 100,000 rows the first 20,000 values are looked at', () => {
  const own: JsonSchema = { properties: { rows: { type: 'array', items: { type: 'integer' } } } };
  let looked = 0;
  const rows = new Proxy(
    Array.from({ length: 100_000 }, (_, at) => at),
    {
      get(target, key, receiver) {
        if (/^\d+$/.test(String(key))) looked += 1;
        return Reflect.get(target, key, receiver);
      },
    },
  );
  expect(problemsOf({ rows }, [], own)).toEqual([]);
  expect(looked).toBe(20_000);
});

test('an argument named __proto__ is an argument', () => {
  const own: JsonSchema = { properties: JSON.parse('{"__proto__": {"type": "string"}}') };
  const keyword = JSON.parse('{"__proto__": "x"}');
  const checked = checkArguments('f', own, [], keyword);
  expect(checked.ok && Object.entries(checked.args)).toEqual([['__proto__', 'x']]);
});
