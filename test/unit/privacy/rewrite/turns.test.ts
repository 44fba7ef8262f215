import { setImmediate as round } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TurnQueue } from '../../../../src/privacy/rewrite/turns.js';

test('in a round of the event loop one of the long works goes on, in turn', async () => {
  const queue = new TurnQueue();
  const log: string[] = [];
  const work = async (name: string): Promise<void> => {
    for (let step = 1; step <= 2; step++) {
      await queue.next();
      log.push(`${name}${step}`);
    }
  };
  const all = Promise.all([work('a'), work('b')]);
  const after: string[] = [];
  for (let n = 0; n < 4; n++) {
    await round();
    after.push(log.join(' '));
  }
  await all;
  expect(log).toEqual(['a1', 'b1', 'a2', 'b2']);
  expect(after).toEqual(['a1', 'a1 b1', 'a1 b1 a2', 'a1 b1 a2 b2']);
});
