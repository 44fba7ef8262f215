import { expect, test } from 'vitest';
import { verifies } from '../e2e/verifies.js';
import { type ContractHost, codeOf } from './contract-host.js';

/** One worker a fresh run, one worker a session, and nothing outlives its owner. */
export function lifetimeContract(current: () => ContractHost): void {
  test(verifies('RUN-3', 'each fresh run has a worker of its own, gone when it is answered'), async () => {
    const host = current();
    const before = host.workers.length;
    await host.value('kept = 1');
    const report = await host.run('kept');
    const [first, second] = host.workers.slice(before);
    expect(host.workers.length - before).toBe(2);
    expect(first?.id).not.toBe(second?.id);
    expect((await first?.exited)?.reason).toBe('killed');
    expect((await second?.exited)?.reason).toBe('killed');
    expect(report.outcome).toMatchObject({
      kind: 'raised',
      error: { code: 'python_error', type: 'NameError' },
    });
  });

  test(verifies('SESSION-1', 'a session keeps its interpreter, also across an exception'), async () => {
    const host = current();
    const before = host.workers.length;
    const session = 'lifetime';
    await host.value('x = 20', { session });
    expect(codeOf(await host.run('x += 1\n1 / 0', { session }))).toBe('python_error');
    expect(await host.value('x * 2', { session })).toBe(42);
    expect(host.workers.length - before).toBe(1);
  });

  test(verifies('SESSION-4', 'sessions and principals do not see each other'), async () => {
    const host = current();
    await host.value('secret_number = 7', { session: 'one' });
    const probe = '"secret_number" in globals()';
    const others = await Promise.all([
      host.value(probe, { session: 'two' }),
      host.value(probe, { session: 'one' }, 'somebody else'),
      host.value(probe),
    ]);
    expect(others).toEqual([false, false, false]);
    expect(await host.value(probe, { session: 'one' })).toBe(true);
  });

  test(
    verifies('SESSION-3', 'a second run in a busy session is refused and does not disturb the first'),
    async () => {
      const host = current();
      const session = 'busy';
      let refused: Promise<unknown> | undefined;
      const first = await host.value('import time\nprint("on", flush=True)\ntime.sleep(0.5)\n"first"', {
        session,
        onProgress: () => {
          refused ??= host.run('"second"', { session }).catch((error: unknown) => error);
        },
      });
      expect(first).toBe('first');
      expect(await refused).toMatchObject({ name: 'CodeExecutionError', code: 'busy' });
    },
  );

  test(verifies('SESSION-2', 'a session whose worker died between two runs says so once'), async () => {
    const host = current();
    const session = 'struck';
    await host.value('x = 1', { session });
    await host.workers.at(-1)?.kill();
    const told = await host.run('x', { session }).catch((error: unknown) => error);
    expect(told).toMatchObject({ name: 'CodeExecutionError', code: 'session_broken' });
    expect(await host.value('"x" in globals()', { session })).toBe(false);
  });

  test(
    verifies(
      'MCP-6',
      'a cancelled run is answered as cancelled, its worker is gone and the next run is right',
    ),
    async () => {
      const host = current();
      const stop = new AbortController();
      const report = await host.run('print("on", flush=True)\nwhile True: pass', {
        signal: stop.signal,
        onProgress: () => stop.abort(),
      });
      expect(codeOf(report)).toBe('cancelled');
      expect((await host.workers.at(-1)?.exited)?.reason).toBe('killed');
      expect(await host.value('1 + 1')).toBe(2);
    },
  );

  test('workers given out without a runner end by kill, which may be called twice', async () => {
    const { sandbox, principal } = current();
    const worker = await sandbox.acquire({ principal });
    const active = sandbox.pool().active;
    await Promise.all([worker.kill(), worker.kill()]);
    expect((await worker.exited).reason).toBe('killed');
    expect(sandbox.pool().active).toBe(active - 1);
  });
}
