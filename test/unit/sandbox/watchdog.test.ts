import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Watchdog, type Watched } from '../../../src/sandbox/watchdog.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A process of which is counted how often it was looked at. */
function watched(bytes: () => number, fields: Partial<Watched> = {}) {
  const told: number[] = [];
  let looks = 0;
  const process: Watched = {
    pid: 0,
    measure: async () => {
      looks++;
      return bytes();
    },
    limitBytes: 100,
    isResting: false,
    onExceeded: (size) => told.push(size),
    ...fields,
  };
  return { process, told, looks: () => looks };
}

test('a process that runs code is looked at every 50 ms, and told of once when it is over its limit', async () => {
  const watchdog = new Watchdog();
  let size = 100;
  const one = watched(() => size);
  watchdog.watch(one.process);
  await vi.advanceTimersByTimeAsync(500);
  expect(one.looks()).toBe(10);
  expect(one.told).toEqual([]);
  size = 101;
  await vi.advanceTimersByTimeAsync(500);
  expect(one.told).toEqual([101]);
  expect(one.looks()).toBe(11);
});

test('one that rests is looked at once a second, and as often as before when it runs again', async () => {
  const watchdog = new Watchdog();
  const one = watched(() => 0, { isResting: true });
  watchdog.watch(one.process);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(one.looks()).toBe(5);
  one.process.isResting = false;
  await vi.advanceTimersByTimeAsync(500);
  expect(one.looks()).toBe(15);
});

test('one that is over its limit while it rests is told of, too', async () => {
  const watchdog = new Watchdog();
  const one = watched(() => 200, { isResting: true });
  watchdog.watch(one.process);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(one.told).toEqual([200]);
});

test('nobody looks at a process that is watched no more', async () => {
  const watchdog = new Watchdog();
  const one = watched(() => 200);
  watchdog.watch(one.process)();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(one.looks()).toBe(0);
});
