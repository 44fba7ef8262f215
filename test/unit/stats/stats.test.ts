import { expect, test } from 'vitest';
import { Latencies } from '../../../src/stats/latencies.js';
import { Stats } from '../../../src/stats/stats.js';

test('a fresh process has no quantiles and no saved share', () => {
  expect(new Stats(() => 5).snapshot()).toEqual({
    uptimeMs: 0,
    runs: { total: 0, byOutcome: {} },
    toolCalls: { total: 0, failed: 0 },
    tokens: { returned: 0, keptOut: 0 },
  });
});

test('runs are counted by outcome and answers by the LLM tokens they cost and saved', () => {
  let now = 1000;
  const stats = new Stats(() => now);
  stats.addRun('ok', 10);
  stats.addRun('timeout', 2000);
  stats.addRun('ok', 10);
  stats.addAnswer(100, 1900);
  stats.addAnswer(50, 0);
  now = 61_000;
  const { uptimeMs, runs, tokens } = stats.snapshot();
  expect(uptimeMs).toBe(60_000);
  expect(runs).toMatchObject({ total: 3, byOutcome: { ok: 2, timeout: 1 } });
  expect(tokens).toEqual({ returned: 150, keptOut: 1900, savedPercent: 92.6 });
});

test('the tool calls of all runs are counted, and those that failed', () => {
  const stats = new Stats(() => 0);
  stats.addToolCalls([{ ok: true }, { ok: false }]);
  stats.addToolCalls([]);
  stats.addToolCalls([{ ok: true }]);
  expect(stats.snapshot().toolCalls).toEqual({ total: 3, failed: 1 });
});

test('a run whose code never began has no duration', () => {
  const stats = new Stats(() => 0);
  stats.addRun('cancelled');
  expect(stats.snapshot().runs).toEqual({ total: 1, byOutcome: { cancelled: 1 } });
});

test('quantiles are right within four percent, from a tenth of a millisecond to minutes', () => {
  for (const ms of [0.2, 1, 7, 33, 512, 9999, 600_000]) {
    const latencies = new Latencies();
    latencies.add(ms);
    expect(Math.abs((latencies.quantile(0.5) ?? 0) - ms) / ms).toBeLessThan(0.04);
  }
});

test('half of the durations lie under the median and 95 of 100 under the 95th percentile', () => {
  const latencies = new Latencies();
  for (let ms = 1; ms <= 100; ms++) latencies.add(ms);
  expect(Math.abs((latencies.quantile(0.5) ?? 0) - 50)).toBeLessThanOrEqual(2);
  expect(Math.abs((latencies.quantile(0.95) ?? 0) - 95)).toBeLessThanOrEqual(4);
});

test('a duration beyond the last bucket counts as the longest, and zero as the shortest', () => {
  const latencies = new Latencies();
  latencies.add(0);
  expect(latencies.quantile(0.5)).toBe(0.1);
  latencies.add(1e12);
  expect(latencies.quantile(1)).toBeGreaterThan(2_000_000);
});
