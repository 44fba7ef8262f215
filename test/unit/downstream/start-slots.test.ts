import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Backoff } from '../../../src/downstream/backoff.js';
import { StartSlots } from '../../../src/downstream/start-slots.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('servers that answer start a few at a time, and one that hangs gives its slot away', async () => {
  const slots = new StartSlots(2);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string) =>
    slots.run(() => {
      started.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const all = ['a', 'b', 'c', 'd'].map(start);
  await vi.advanceTimersByTimeAsync(0);
  expect(started).toEqual(['a', 'b']);
  ends.get('b')?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(started).toEqual(['a', 'b', 'c']);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(started).toEqual(['a', 'b', 'c', 'd']);
  for (const end of ends.values()) end();
  await Promise.all(all);
});

test('a start that fails gives its slot back', async () => {
  const slots = new StartSlots(1);
  await expect(slots.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await slots.run(async () => 'yes')).toBe('yes');
});

test('the first failure costs no wait, further ones double it up to a minute, and success ends it', () => {
  let now = 0;
  const backoff = new Backoff(() => now);
  const waits = Array.from({ length: 9 }, () => {
    backoff.failed();
    return backoff.remainingMs;
  });
  expect(waits).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  now += 59_000;
  expect(backoff.remainingMs).toBe(1_000);
  backoff.succeeded();
  expect(backoff.remainingMs).toBe(0);
});
