import { expect, test } from 'vitest';
import { nearest } from '../../../src/core/nearest.js';
import { aboutTokens, bytes, count, llmTokens, seconds } from '../../../src/server/quantities.js';

test('quantities read as people write them', () => {
  expect([count(3201), count(0.123456), count(1199999.5)]).toEqual(['3,201', '0.1235', '1,199,999.5']);
  expect([bytes(512), bytes(1400), bytes(12_345), bytes(999_600), bytes(2.5e9)]).toEqual([
    '512 bytes',
    '1.4 kB',
    '12 kB',
    '1 MB',
    '2.5 GB',
  ]);
  expect([seconds(840), seconds(30_000), seconds(12_345), seconds(600_400)]).toEqual([
    '0.84 s',
    '30 s',
    '12.3 s',
    '600 s',
  ]);
  expect([aboutTokens(850), aboutTokens(148_200), aboutTokens(1_230_000)]).toEqual([
    '~850',
    '~148k',
    '~1.2M',
  ]);
  expect([llmTokens(400), llmTokens(-5)]).toEqual([100, 0]);
});

test.each([
  ['cod', ['code', 'session'], 'code'],
  ['Timeout_Seconds', ['code', 'timeout_seconds'], 'timeout_seconds'],
  ['timeout', ['code', 'timeout_seconds'], 'timeout_seconds'],
  ['sale.csv', ['notes.txt', 'sales.csv'], 'sales.csv'],
  ['seesion', ['code', 'session'], 'session'],
  ['total_amuont', ['total_amount'], 'total_amount'],
  ['xyz', ['code', 'session'], undefined],
  ['', ['code'], undefined],
])('the nearest of the candidates to %j', (word, candidates, expected) => {
  expect(nearest(word, candidates)).toBe(expected);
});

test('ten thousand names are compared, and no more, and none of more than 200 characters', () => {
  const others = Array.from({ length: 10_000 }, () => '');
  expect(nearest('sale.csv', [...others.slice(1), 'sales.csv'])).toBe('sales.csv');
  expect(nearest('sale.csv', [...others, 'sales.csv'])).toBe(undefined);
  expect(nearest('a'.repeat(200), ['a'.repeat(199)])).toBe('a'.repeat(199));
  expect(nearest('a'.repeat(201), ['a'.repeat(200)])).toBe(undefined);
});
