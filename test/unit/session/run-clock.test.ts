import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RunClock } from '../../../src/session/run-clock.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTime(ms);

test('the end comes once, when the time is up', () => {
  const end = vi.fn();
  new RunClock(1_000, end);
  pass(999);
  expect(end).not.toHaveBeenCalled();
  pass(10_000);
  expect(end).toHaveBeenCalledTimes(1);
});

test('a pause does not count, and tells how long it was', () => {
  const end = vi.fn();
  const clock = new RunClock(1_000, end);
  pass(400);
  const resume = clock.pause();
  pass(60_000);
  expect(resume()).toBe(60_000);
  pass(599);
  expect(end).not.toHaveBeenCalled();
  pass(1);
  expect(end).toHaveBeenCalledTimes(1);
});

test('pauses that overlap end with the last one, and together tell of each moment once', () => {
  const end = vi.fn();
  const clock = new RunClock(1_000, end);
  const first = clock.pause();
  pass(2_000);
  const second = clock.pause();
  pass(3_000);
  expect(first()).toBe(5_000);
  pass(4_000);
  expect(second()).toBe(4_000);
  expect(end).not.toHaveBeenCalled();
  pass(1_000);
  expect(end).toHaveBeenCalledTimes(1);
});

test('ending a pause twice counts once', () => {
  const end = vi.fn();
  const clock = new RunClock(1_000, end);
  const first = clock.pause();
  const second = clock.pause();
  pass(500);
  first();
  expect(first()).toBe(0);
  pass(5_000);
  expect(end).not.toHaveBeenCalled();
  second();
  pass(1_000);
  expect(end).toHaveBeenCalledTimes(1);
});

test('a clock that was stopped never ends, also not after a pause', () => {
  const end = vi.fn();
  const clock = new RunClock(1_000, end);
  const resume = clock.pause();
  clock.stop();
  resume();
  clock.pause()();
  pass(10_000);
  expect(end).not.toHaveBeenCalled();
});

test('a pause after the end does not bring the end again', () => {
  const end = vi.fn();
  const clock = new RunClock(1_000, end);
  pass(1_000);
  clock.pause()();
  pass(10_000);
  expect(end).toHaveBeenCalledTimes(1);
});
