import { expect, test } from 'vitest';
import { Slots } from '../../../src/session/slots.js';

test('as many as there are slots come in at once, the rest in the order of arrival', async () => {
  const slots = new Slots(2, 10);
  const order: number[] = [];
  const free: (() => void)[] = [];
  const all = [0, 1, 2, 3].map(async (n) => {
    free[n] = await slots.take();
    order.push(n);
  });
  await Promise.all(all.slice(0, 2));
  expect(order).toEqual([0, 1]);
  free[1]?.();
  await all[2];
  free[0]?.();
  await all[3];
  expect(order).toEqual([0, 1, 2, 3]);
});

test('a slot given back twice counts once', async () => {
  const slots = new Slots(1, 0);
  const release = await slots.take();
  release();
  release();
  const again = await slots.take();
  await expect(slots.take()).rejects.toMatchObject({ code: 'busy' });
  again();
});

test('who comes when the queue is full is told to come later, and the queue moves on', async () => {
  const slots = new Slots(1, 1);
  const release = await slots.take();
  const waiting = slots.take();
  await expect(slots.take()).rejects.toMatchObject({
    code: 'busy',
    message: '1 runs are waiting already',
    hint: expect.stringContaining('try again'),
  });
  release();
  (await waiting)();
  (await slots.take())();
});

test('a wait that is given up frees its place, and takes no slot', async () => {
  const slots = new Slots(1, 1);
  const release = await slots.take();
  const stop = new AbortController();
  const given = slots.take(stop.signal);
  stop.abort();
  await expect(given).rejects.toMatchObject({ code: 'cancelled' });
  await expect(slots.take(stop.signal)).rejects.toMatchObject({ code: 'cancelled' });
  const next = slots.take();
  release();
  (await next)();
});

test('a signal that comes after the slot was given changes nothing', async () => {
  const slots = new Slots(1, 1);
  const release = await slots.take();
  const stop = new AbortController();
  const waiting = slots.take(stop.signal);
  release();
  const second = await waiting;
  stop.abort();
  second();
  (await slots.take())();
});
