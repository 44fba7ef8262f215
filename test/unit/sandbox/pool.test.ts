import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CodeExecutionError } from '../../../src/core/errors.js';
import { WorkerPool } from '../../../src/sandbox/pool.js';
import { FakeWorker } from './fake-worker.js';

/** A pool whose workers start when the test says so. */
function slowPool(size: number) {
  const started: { ready: (worker: FakeWorker) => void; fail: (error: unknown) => void; wanted: boolean }[] =
    [];
  const pool = new WorkerPool({
    size,
    spareBytes: 1,
    start: (wanted) =>
      new Promise((resolve, reject) => {
        started.push({ ready: resolve, fail: reject, wanted });
      }),
  });
  onTestFinished(() => pool.close());
  return { pool, started };
}

function quickPool(size: number) {
  const workers: FakeWorker[] = [];
  const pool = new WorkerPool({
    size,
    spareBytes: 1,
    start: async () => {
      const worker = new FakeWorker(`w${workers.length}`);
      workers.push(worker);
      return worker;
    },
  });
  onTestFinished(() => pool.close());
  return { pool, workers };
}

const settled = (pool: WorkerPool, ready: number) =>
  expect.poll(() => pool.info(), { timeout: 20_000, interval: 5 }).toMatchObject({ ready, starting: 0 });

describe('a pool of workers', () => {
  test('starts nothing before it is warmed or asked', async () => {
    const { pool, started } = slowPool(2);
    await turn();
    expect(started).toHaveLength(0);
    expect(pool.info()).toEqual({ ready: 0, starting: 0, active: 0, target: 2 });
  });

  test('fills up to its size when warmed, one start at a time', async () => {
    const { pool, started } = slowPool(2);
    pool.warm();
    expect([started.length, pool.info().starting]).toEqual([1, 1]);
    started[0]?.ready(new FakeWorker());
    await expect.poll(() => started.length).toBe(2);
    started[1]?.ready(new FakeWorker());
    await settled(pool, 2);
    expect(started).toHaveLength(2);
    expect(started.map(({ wanted }) => wanted)).toEqual([false, false]);
  });

  test('gives each worker out once, the longest ready first, and refills', async () => {
    const { pool, workers } = quickPool(2);
    pool.warm();
    await settled(pool, 2);
    const given = [await pool.acquire(), await pool.acquire(), await pool.acquire()];
    expect(given.map((worker) => worker.id)).toEqual(['w0', 'w1', 'w2']);
    expect(pool.info().active).toBe(3);
    await Promise.all(given.map((worker) => worker.kill()));
    await settled(pool, 2);
    expect(pool.info().active).toBe(0);
    expect(workers.length).toBe(5);
    expect((await pool.acquire()).id).toBe('w3');
  });

  test('serves those who wait in the order in which they came', async () => {
    const { pool, started } = slowPool(0);
    const order: string[] = [];
    const waits = ['a', 'b', 'c'].map(async (name) => {
      const { id } = await pool.acquire();
      order.push(name + id);
    });
    for (let n = 0; n < 3; n++) {
      await expect.poll(() => started.length).toBeGreaterThan(n);
      started[n]?.ready(new FakeWorker(String(n)));
    }
    await Promise.all(waits);
    expect(order).toEqual(['a0', 'b1', 'c2']);
    expect(started.every(({ wanted }) => wanted)).toBe(true);
  });

  test('a waiter takes the worker that a refill has begun', async () => {
    const { pool, started } = slowPool(1);
    pool.warm();
    const wait = pool.acquire();
    await turn();
    expect(started).toHaveLength(1);
    started[0]?.ready(new FakeWorker('refill'));
    expect((await wait).id).toBe('refill');
  });

  test('a failed start reaches who waits, and the next call tries again', async () => {
    const { pool, started } = slowPool(0);
    const first = pool.acquire();
    started[0]?.fail(new CodeExecutionError('backend_unavailable', 'no deno'));
    await expect(first).rejects.toMatchObject({ code: 'backend_unavailable', message: 'no deno' });
    const second = pool.acquire();
    await expect.poll(() => started.length).toBe(2);
    started[1]?.ready(new FakeWorker('second'));
    expect((await second).id).toBe('second');
  });

  test('a failed start fails one of those who wait, not all', async () => {
    const { pool, started } = slowPool(0);
    const both = Promise.allSettled([pool.acquire(), pool.acquire()]);
    started[0]?.fail(new Error('once'));
    for (let n = 1; n < 3; n++) {
      await expect.poll(() => started.length).toBeGreaterThan(1);
      started[n]?.ready(new FakeWorker());
    }
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  test('a spare that dies while it waits is not given out', async () => {
    const { pool, workers } = quickPool(1);
    pool.warm();
    await settled(pool, 1);
    workers[0]?.exit();
    await turn();
    expect(pool.info().ready).toBe(0);
    expect((await pool.acquire()).id).toBe('w1');
  });

  test('a wait can be given up, and its worker serves the next', async () => {
    const { pool, started } = slowPool(0);
    const stop = new AbortController();
    const given = pool.acquire(stop.signal);
    stop.abort();
    await expect(given).rejects.toMatchObject({ code: 'cancelled' });
    await expect(pool.acquire(stop.signal)).rejects.toMatchObject({ code: 'cancelled' });
    started[0]?.ready(new FakeWorker('left over'));
    await turn();
    expect((await pool.acquire()).id).toBe('left over');
  });

  test('closing kills spares and workers given out, and refuses who waits or comes later', async () => {
    const { pool, workers } = quickPool(1);
    pool.warm();
    await settled(pool, 1);
    const given = await pool.acquire();
    await pool.close();
    expect((await given.exited).reason).toBe('killed');
    expect(workers.every((worker) => worker.calls.includes('kill'))).toBe(true);
    await expect(pool.acquire()).rejects.toMatchObject({ code: 'backend_unavailable' });
  });

  test('a worker that starts while the pool closes is killed', async () => {
    const { pool, started } = slowPool(0);
    const wait = pool.acquire();
    const closing = pool.close();
    await expect(wait).rejects.toMatchObject({ code: 'backend_unavailable' });
    const late = new FakeWorker();
    started[0]?.ready(late);
    await closing;
    expect((await late.exited).reason).toBe('killed');
  });

  test('starts nothing ahead when memory is short', async () => {
    const started: number[] = [];
    const pool = new WorkerPool({
      size: 2,
      spareBytes: Number.MAX_SAFE_INTEGER,
      start: async () => new FakeWorker(String(started.push(1))),
    });
    pool.warm();
    await turn();
    expect(started).toHaveLength(0);
    expect((await pool.acquire()).id).toBe('1');
    await pool.close();
  });
});
