import { setImmediate as round } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Admission, type AdmissionOptions, type Slot } from '../../../src/session/admission.js';
import { verifies } from '../../e2e/verifies.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Runs by name; `log` tells who started and who was sent behind, in order. */
function open(options: Partial<AdmissionOptions> = {}) {
  const admission = new Admission({
    places: 4,
    background: 8,
    hasMemory: () => true,
    waitingOfOne: 50,
    waiting: 100,
    ...options,
  });
  const log: string[] = [];
  const slots = new Map<string, Slot>();
  const ask = async (name: string, lane?: string, principal = 'me', signal?: AbortSignal): Promise<void> => {
    const slot = await admission.take({
      principal,
      ...(lane === undefined ? {} : { lane }),
      ...(signal ? { signal } : {}),
    });
    slots.set(name, slot);
    log.push(name);
    slot.begin(() => log.push(`${name} goes behind`));
  };
  const end = async (name: string): Promise<void> => {
    slots.get(name)?.release();
    await round();
  };
  const pass = async (ms: number): Promise<void> => {
    await vi.advanceTimersByTimeAsync(ms);
  };
  return { admission, ask, end, pass, log };
}

describe('places', () => {
  test('as many runs as there are places start at once, the rest in the order of arrival', async () => {
    const { ask, end, log } = open({ places: 2 });
    for (const name of ['a', 'b', 'c', 'd']) void ask(name);
    await round();
    expect(log).toEqual(['a', 'b']);
    await end('b');
    await end('a');
    expect(log).toEqual(['a', 'b', 'c', 'd']);
  });

  test('a place given back twice counts once', async () => {
    const { ask, end, log } = open({ places: 1 });
    for (const name of ['a', 'b', 'c']) void ask(name);
    await round();
    await end('a');
    await end('a');
    expect(log).toEqual(['a', 'b']);
  });

  test('a run that gives up waiting takes no place', async () => {
    const { ask, end, log } = open({ places: 1 });
    const stop = new AbortController();
    void ask('a');
    const given = ask('b', undefined, 'me', stop.signal);
    void ask('c');
    stop.abort();
    await expect(given).rejects.toMatchObject({ code: 'cancelled' });
    await expect(ask('d', undefined, 'me', stop.signal)).rejects.toMatchObject({ code: 'cancelled' });
    await end('a');
    expect(log).toEqual(['a', 'c']);
  });

  test('a signal that comes when the place is taken changes nothing', async () => {
    const { ask, end, log } = open({ places: 1 });
    const stop = new AbortController();
    await ask('a', undefined, 'me', stop.signal);
    void ask('b');
    stop.abort();
    await round();
    expect(log).toEqual(['a']);
    await end('a');
    expect(log).toEqual(['a', 'b']);
  });
});

describe('a run that has had its turn', () => {
  test('keeps its place while it is alone, and goes behind when another comes', async () => {
    const { ask, pass, log } = open({ places: 1 });
    await ask('a');
    await pass(10_000);
    expect(log).toEqual(['a']);
    await ask('b');
    expect(log).toEqual(['a', 'a goes behind', 'b']);
  });

  test('goes behind after half a second when there are others already', async () => {
    const { ask, pass, log } = open({ places: 1 });
    void ask('a');
    void ask('b');
    await pass(499);
    expect(log).toEqual(['a']);
    await pass(1);
    expect(log).toEqual(['a', 'a goes behind', 'b']);
  });

  test('does not count as one before its code has begun', async () => {
    const { admission, ask, pass, log } = open({ places: 1 });
    await admission.take({ principal: 'me' });
    void ask('b');
    await pass(10_000);
    expect(log).toEqual([]);
  });

  test('keeps its place when as many are behind as may be, until one of those ends', async () => {
    const { ask, end, pass, log } = open({ places: 1, background: 1 });
    for (const name of ['a', 'b', 'c']) void ask(name);
    await pass(5_000);
    expect(log).toEqual(['a', 'a goes behind', 'b']);
    await end('a');
    expect(log).toEqual(['a', 'a goes behind', 'b', 'b goes behind', 'c']);
  });

  test('keeps its place while the machine is short of memory', async () => {
    let hasMemory = false;
    const { ask, pass, log } = open({ places: 1, hasMemory: () => hasMemory });
    await ask('a');
    await pass(1_000);
    void ask('b');
    expect(log).toEqual(['a']);
    hasMemory = true;
    void ask('c');
    await round();
    expect(log).toEqual(['a', 'a goes behind', 'b']);
  });

  test('is over without having given anything up, once it has ended', async () => {
    const { ask, end, pass, log } = open({ places: 1 });
    await ask('a');
    await end('a');
    await ask('b');
    await pass(400);
    void ask('c');
    await pass(99);
    expect(log).toEqual(['a', 'b']);
  });
});

describe('who is next', () => {
  test('of two sessions it is the one that has used less lately', async () => {
    const { ask, end, pass, log } = open({ places: 1, background: 0 });
    await ask('heavy 1', 'heavy');
    await pass(8_000);
    await end('heavy 1');
    await ask('holder');
    void ask('heavy 2', 'heavy');
    void ask('light 1', 'light');
    await end('holder');
    expect(log).toEqual(['heavy 1', 'holder', 'light 1']);
    await end('light 1');
    expect(log.at(-1)).toBe('heavy 2');
  });

  test('use is forgotten: a minute later the order of arrival counts again', async () => {
    const { ask, end, pass, log } = open({ places: 1, background: 0 });
    await ask('heavy 1', 'heavy');
    await pass(8_000);
    await end('heavy 1');
    await pass(60_000);
    await ask('holder');
    void ask('heavy 2', 'heavy');
    void ask('light', 'light');
    await end('holder');
    expect(log.at(-1)).toBe('heavy 2');
  });

  test('what a run behind is still using counts for its session, not for runs without one', async () => {
    const { ask, end, pass, log } = open({ places: 1, background: 1 });
    await ask('endless', 'heavy');
    await pass(500);
    void ask('holder');
    await pass(4_000);
    void ask('same session', 'heavy');
    void ask('fresh');
    await end('holder');
    expect(log.filter((line) => !line.includes('behind'))).toEqual(['endless', 'holder', 'fresh']);
  });

  test('of two principals it is the one that has used less, however many sessions the other has', async () => {
    const { ask, end, pass, log } = open({ places: 4, background: 0 });
    for (const n of [1, 2, 3]) void ask(`crowd ${n}`, `s${n}`, 'crowd');
    await pass(8_000);
    await ask('one 1', 's', 'one');
    for (const n of [4, 5, 6]) void ask(`crowd ${n}`, `s${n}`, 'crowd');
    void ask('one 2', 't', 'one');
    await end('crowd 1');
    expect(log.slice(3)).toEqual(['one 1', 'one 2']);
    await end('crowd 2');
    expect(log.at(-1)).toBe('crowd 4');
  });

  test('one principal does not get the last quarter of the places', async () => {
    const { ask, log } = open({ places: 4 });
    for (let n = 1; n <= 5; n++) void ask(`crowd ${n}`, undefined, 'crowd');
    await ask('other', undefined, 'other');
    expect(log).toEqual(['crowd 1', 'crowd 2', 'crowd 3', 'other']);
  });
});

describe('when too many wait', () => {
  test(
    verifies('LOAD-3', 'a principal is told when to come back, at the rate of the starts; others may wait'),
    async () => {
      const { ask, end, pass, log } = open({ places: 1, background: 0, waitingOfOne: 4 });
      await ask('a');
      for (const name of ['b', 'c', 'd', 'e']) void ask(name);
      await pass(8_000);
      await end('a');
      expect(log).toEqual(['a', 'b']);
      void ask('f');
      // Two starts in 8 s, four waiting and this one.
      await expect(ask('g')).rejects.toMatchObject({
        code: 'busy',
        message: '4 runs are waiting already',
        hint: 'try again in about 16 seconds',
      });
      const other = ask('other', undefined, 'other');
      await end('b');
      await other;
      expect(log.at(-1)).toBe('other');
    },
  );

  test('the hint is at least a second and at most a minute', async () => {
    const quick = open({ places: 1, waitingOfOne: 0 });
    await quick.ask('a');
    await expect(quick.ask('b')).rejects.toMatchObject({ hint: 'try again in about 1 second' });
    const slow = open({ places: 1, background: 0, waitingOfOne: 1 });
    await slow.ask('a');
    void slow.ask('b');
    await slow.pass(600_000);
    await expect(slow.ask('c')).rejects.toMatchObject({ hint: 'try again in about 60 seconds' });
  });

  test('all principals together may not wait without end', async () => {
    const { ask } = open({ places: 1, background: 0, waiting: 2 });
    await ask('a', undefined, 'p0');
    void ask('b', undefined, 'p1');
    void ask('c', undefined, 'p2');
    await expect(ask('d', undefined, 'p3')).rejects.toMatchObject({
      code: 'busy',
      message: '2 runs are waiting already',
    });
  });
});
