import { availableParallelism } from 'node:os';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Sessions } from '../../../src/session/sessions.js';
import type { Workspace } from '../../../src/workspace/workspace.js';
import { verifies } from '../../e2e/verifies.js';
import { emptyWorkspace, FakeWorker } from './fake-worker.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }));
afterEach(() => void vi.useRealTimers());

/** A runner whose code `hang` runs until it is told to answer. */
function open() {
  const hanging: { worker: FakeWorker; id: string }[] = [];
  const workers: FakeWorker[] = [];
  const sessions = new Sessions({
    sandbox: {
      acquire: async () => {
        const worker = new FakeWorker((code, self, id) => {
          if (code === 'hang') hanging.push({ worker: self, id });
          else self.answer(id, '1');
        });
        workers.push(worker);
        return worker;
      },
    },
    workspace: async () => emptyWorkspace() as Workspace,
    builtins: 'restricted',
    memoryMb: 64,
    maxSessions: 3,
    sessionIdleMs: 60_000,
  });
  const run = (code: string, session?: string) =>
    sessions.run('me', {
      code,
      context: {},
      timeoutMs: 30_000,
      memoryMb: 64,
      ...(session === undefined ? {} : { session }),
    });
  return { run, workers, hanging };
}

test('code that runs on goes behind when another run comes, and has its priority back for the time to unwind', async () => {
  const { run, workers, hanging } = open();
  const long = run('hang', 's');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(workers[0]?.priorities).toEqual([]);
  await run('1');
  expect(workers[0]?.priorities).toEqual(['lower, to be undone']);
  await vi.advanceTimersByTimeAsync(25_000);
  expect(workers[0]?.priorities).toEqual(['lower, to be undone', 'restore']);
  hanging[0]?.worker.answer(hanging[0].id, '1');
  await long;
});

test('a session that went behind is like any other after the run', async () => {
  const { run, workers, hanging } = open();
  const long = run('hang', 's');
  await vi.advanceTimersByTimeAsync(600);
  await run('1');
  hanging[0]?.worker.answer(hanging[0].id, '1');
  await long;
  expect(workers[0]?.priorities).toEqual(['lower, to be undone', 'restore']);
});

test('a fresh interpreter goes behind for good: it runs nothing else', async () => {
  const { run, workers, hanging } = open();
  const long = run('hang');
  await vi.advanceTimersByTimeAsync(600);
  await run('1');
  expect(workers[0]?.priorities).toEqual(['lower, for good']);
  hanging[0]?.worker.answer(hanging[0].id, '1');
  await long;
});

test(
  verifies('LOAD-1', 'as many endless runs as there are places do not keep another from being answered'),
  async () => {
    const { run, hanging } = open();
    const places = 4 * availableParallelism();
    const endless = Array.from({ length: places }, () => run('hang'));
    await vi.advanceTimersByTimeAsync(1_600);
    expect(hanging).toHaveLength(places);
    const answer = run('1');
    await vi.advanceTimersByTimeAsync(500);
    expect((await answer).outcome).toMatchObject({ kind: 'value' });
    for (const { worker, id } of hanging) worker.answer(id, '1');
    await Promise.all(endless);
  },
);
