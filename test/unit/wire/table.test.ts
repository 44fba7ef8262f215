import { expect, test } from 'vitest';
import { tableSchema } from '../../../src/wire/table.js';

const table = (columns: number, rows: number) => ({
  names: Array.from({ length: columns }, (_, i) => `c${i}`),
  dtypes: Array<string>(columns).fill('int64'),
  labels: 0,
  rows: Array.from({ length: rows }, () => Array<number>(columns).fill(1)),
});

test.each([
  [1_000, 60, true],
  [1_001, 1, false],
  [1_000, 61, false],
  [1, 60_000, true],
  [0, 60_001, false],
])('a table of %i columns and %i rows is taken: %s', (columns, rows, isTaken) => {
  expect(tableSchema.safeParse(table(columns, rows)).success).toBe(isTaken);
});

test('a name, a type or a count of another kind is refused', () => {
  const plain = table(1, 1);
  for (const bad of [
    { ...plain, names: [1] },
    { ...plain, names: ['x'.repeat(401)] },
    { ...plain, dtypes: ['x'.repeat(201)] },
    { ...plain, labels: -1 },
    { ...plain, labels: 0.5 },
    { ...plain, more: 1 },
  ])
    expect(tableSchema.safeParse(bad).success).toBe(false);
});
