import { expect, test } from 'vitest';
import { readDefinition } from '../../../src/core/read-definition.js';
import { valueSize } from '../../../src/core/value-size.js';

test('only known fields of the right types are taken', () => {
  const raw = {
    name: 'n',
    title: 5,
    description: 'd',
    inputSchema: { type: 'object', $ref: 'http://a/' },
    outputSchema: [],
    annotations: { title: 't', readOnlyHint: true, destructiveHint: 'yes', other: 1 },
    _meta: {},
    icons: [],
  };
  expect(readDefinition(raw)).toEqual({
    definition: {
      name: 'n',
      title: 't',
      description: 'd',
      inputSchema: raw.inputSchema,
      annotations: { title: 't', readOnlyHint: true },
    },
    bytes: expect.any(Number),
  });
});

test.each([
  [null, 'it is no object'],
  [['name'], 'it is no object'],
  [{}, 'it has no name'],
  [{ name: '' }, 'it has no name'],
  [{ name: 'x'.repeat(257) }, 'its name has more than 256 characters'],
  [{ name: 'x', inputSchema: { a: 'x'.repeat(1_100_000) } }, 'its definition has more than 1 MiB'],
  [
    { name: 'x', inputSchema: JSON.parse(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`) },
    'its schema is nested more than 100 levels deep',
  ],
])('what is no tool is told so: %.40j', (raw, fault) => {
  expect(readDefinition(raw)).toEqual({ fault });
});

test('a cyclic or endless value is measured in bounded time', () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  expect(valueSize(cycle, 1_000_000, 100)).toBe('too deep');
  expect(
    valueSize(
      Array.from({ length: 1_000_000 }, () => 0),
      1_000,
      10,
    ),
  ).toBe('too large');
  expect(valueSize({ a: 'xyz', b: [1, null] }, 1_000, 10)).toEqual({
    bytes: 2 + (1 + 2) + (2 + 3) + (1 + 2) + 2 + (2 + 2) + (2 + 2),
  });
});
