import { expect, onTestFinished, test } from 'vitest';
import type { RunReport } from '../../../src/core/outcome.js';
import { Sessions } from '../../../src/session/sessions.js';
import type { Workspace } from '../../../src/workspace/workspace.js';
import { emptyWorkspace, FakeWorker } from './fake-worker.js';

/** Sessions whose workers answer numbers, and do what the other words say; `onHang` is told that a run hangs. */
function openSessions(onHang: () => void = () => undefined) {
  const workers: FakeWorker[] = [];
  const sessions = new Sessions({
    sandbox: {
      acquire: async () => {
        const worker = new FakeWorker((code, self, id) => {
          if (code === 'die') self.die();
          else if (code === 'answer and die') {
            self.answer(id, '1');
            self.die();
          } else if (code === 'hang') onHang();
          else self.answer(id, code);
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
  onTestFinished(() => sessions[Symbol.asyncDispose]());
  const run = (code: string, signal?: AbortSignal): Promise<RunReport> =>
    sessions.run('me', {
      code,
      context: {},
      timeoutMs: 5_000,
      memoryMb: 64,
      session: 's',
      ...(signal ? { signal } : {}),
    });
  return { run, workers };
}

const ANSWERED = { kind: 'value', value: { json: '2' } };

test('a loss that the report of the run told is not told again: the next call starts anew', async () => {
  const { run, workers } = openSessions();
  const { outcome } = await run('die');
  expect(outcome).toMatchObject({ kind: 'crashed' });
  expect('error' in outcome && outcome.error.hint).toBe(
    'the variables of session "s" are gone, the next call with this name starts it anew; ' +
      'run it again without the part that ends the interpreter; files that were closed before are saved',
  );
  expect((await run('2')).outcome).toMatchObject(ANSWERED);
  expect(workers).toHaveLength(2);
});

test('a loss between two calls is told to the next one, once', async () => {
  const { run, workers } = openSessions();
  await run('1');
  workers[0]?.die();
  await workers[0]?.exited;
  await expect(run('2')).rejects.toMatchObject({
    code: 'session_broken',
    message: 'session "s" is gone: its interpreter ended',
  });
  expect((await run('2')).outcome).toMatchObject(ANSWERED);
});

test('a worker that answers and then ends is a loss that the next call is told', async () => {
  const { run } = openSessions();
  expect((await run('answer and die')).outcome).toMatchObject({ kind: 'value' });
  await expect(run('2')).rejects.toMatchObject({ code: 'session_broken' });
  expect((await run('2')).outcome).toMatchObject(ANSWERED);
});

test('a loss by cancelling is told to the next call, for nobody reads the answer to a cancelled one', async () => {
  const abort = new AbortController();
  const { run } = openSessions(() => abort.abort());
  const hanging = run('hang', abort.signal);
  expect((await hanging).outcome).toMatchObject({ kind: 'cancelled' });
  await expect(run('2')).rejects.toMatchObject({
    code: 'session_broken',
    message: 'session "s" is gone: the run in it was cancelled',
  });
  expect((await run('2')).outcome).toMatchObject(ANSWERED);
});
