import { expect, test } from 'vitest';
import { RecentUse } from '../../../src/session/recent-use.js';

test('use adds up, and halves in ten seconds', () => {
  const use = new RecentUse();
  expect(use.of('a', 0)).toBe(0);
  use.add('a', 4, 1_000);
  use.add('a', 2, 1_000);
  expect(use.of('a', 1_000)).toBe(6);
  expect(use.of('a', 11_000)).toBe(3);
  use.add('a', 1, 21_000);
  expect(use.of('a', 21_000)).toBe(2.5);
  expect(use.of('b', 21_000)).toBe(0);
});

test('names with nothing left are dropped, so that ten thousand of them cost what a thousand do', () => {
  const use = new RecentUse();
  use.add('kept', 1_000, 0);
  for (let n = 0; n < 10_000; n++) use.add(`session ${n}`, 0.001, n * 10);
  expect(use.size).toBeLessThanOrEqual(1_001);
  expect(use.of('kept', 100_000)).toBe(1_000 / 1_024);
});
