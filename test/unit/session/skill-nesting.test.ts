import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { Sessions } from '../../../src/session/sessions.js';
import { emptyWorkspace, FakeWorker } from './fake-worker.js';

test('what a run starts needs no place among the runs, so that runs cannot wait for each other', async () => {
  const hanging: FakeWorker[] = [];
  const runner = new Sessions({
    sandbox: {
      acquire: async () =>
        new FakeWorker((code, worker, id) => {
          if (code === 'hang') hanging.push(worker);
          else worker.answer(id, '1');
        }),
    },
    workspace: async () => emptyWorkspace() as never,
    builtins: 'restricted',
    memoryMb: 64,
    maxSessions: 1,
    sessionIdleMs: 1_000,
  });
  const run = (code: string, nested: boolean) =>
    runner.run('p', { code, context: {}, timeoutMs: 60_000, memoryMb: 64, nested });
  const places = availableParallelism() * 4;
  const held = Array.from({ length: places }, () => run('hang', false));
  await expect.poll(() => hanging.length).toBe(places);
  let isDone = false;
  const waiting = run('1', false).then(() => {
    isDone = true;
  });
  expect((await run('1', true)).outcome.kind).toBe('value');
  expect(isDone).toBe(false);
  for (const worker of hanging) worker.die();
  await Promise.all([...held, waiting]);
});
