import { expect, test } from 'vitest';
import { PrincipalStats } from '../../../src/stats/principal-stats.js';

test('each principal has figures of its own, and all the uptime of the process', () => {
  let now = 1_000;
  const stats = new PrincipalStats(() => now);
  stats.of('ann').addRun('ok', 5);
  now = 4_000;
  expect(stats.of('ann').snapshot()).toMatchObject({ uptimeMs: 3_000, runs: { total: 1 } });
  expect(stats.of('bob').snapshot()).toMatchObject({ uptimeMs: 3_000, runs: { total: 0 } });
  expect(stats.of('ann')).toBe(stats.of('ann'));
});
