import { expect, test } from 'vitest';
import { verifies } from '../e2e/verifies.js';
import { type ContractHost, codeOf } from './contract-host.js';
import type { Capabilities } from './sandbox.contract.js';

const EXIT_BY_JAVASCRIPT = 'import importlib\njs = importlib.import_module("js")\njs.Deno.exit(5)';

/** The end of an interpreter is an answer like any other. */
export function deathContract(current: () => ContractHost, capabilities: Capabilities): void {
  test.each<[string, string]>([
    ['os._exit', 'import os\nos._exit(1)'],
    ['os._exit with 0', 'import os\nos._exit(0)'],
    ['os.abort', 'import os\nos.abort()'],
    ...(capabilities.javascript
      ? [['exit by way of JavaScript', EXIT_BY_JAVASCRIPT] as [string, string]]
      : []),
  ])(
    verifies('LIMIT-7', '%s is answered as crashed, its worker is gone and the next run is right'),
    async (_what, code) => {
      const host = current();
      const report = await host.run(code);
      expect(codeOf(report)).toBe('crashed');
      await host.workers.at(-1)?.exited;
      expect(await host.value('20 + 22', { session: 'bystander' })).toBe(42);
    },
  );

  test(
    verifies('LIMIT-7', 'recursion without a limit ends as the backend says, and the next run is right'),
    async () => {
      const host = current();
      const report = await host.run('import sys\nsys.setrecursionlimit(10 ** 9)\ndef f(): f()\nf()');
      expect(codeOf(report)).toBe(capabilities.deepRecursion);
      expect(await host.value('20 + 22', { session: 'bystander' })).toBe(42);
    },
  );

  test.each<[string, string]>([
    ['a read through a null pointer', 'import ctypes\nctypes.string_at(0)'],
    ['a read far out of memory', 'import ctypes\nctypes.string_at(2 ** 32 - 2 ** 16)'],
    ['a signal to itself', 'import os, signal\nos.kill(os.getpid(), signal.SIGKILL)'],
    ['a destroyed type', 'import ctypes\nctypes.memset(id(int), 0, 64)\nint("1")'],
    ['recursion in C', 'x = []\nfor _ in range(10 ** 6):\n    x = [x]\nrepr(x)'],
  ])(
    verifies('LIMIT-7', '%s is an error, a refusal or a crash, and costs nobody else'),
    async (_what, code) => {
      const host = current();
      expect(['ok', 'python_error', 'import_denied', 'crashed', 'timeout']).toContain(
        codeOf(await host.run(code, { timeoutMs: 4_000 })),
      );
      expect(await host.value('20 + 22', { session: 'bystander' })).toBe(42);
    },
  );

  test(verifies(['LIMIT-7', 'LIMIT-9'], 'files that were closed before the end are kept'), async () => {
    const host = current();
    const code = `
import os
for n in range(40):
    with open(f"closed-{n}.txt", "w") as f:
        f.write(str(n) * 1000)
os._exit(1)`;
    const report = await host.run(code);
    expect(codeOf(report)).toBe('crashed');
    expect(report.filesChanged).toHaveLength(40);
    expect(await host.read('closed-39.txt')).toBe('39'.repeat(1000));
    await host.clear();
  });

  test(
    verifies('SESSION-2', 'a session that dies says that its variables are gone, and works again'),
    async () => {
      const host = current();
      const session = 'mortal';
      await host.value('x = 1', { session });
      const report = await host.run('import os\nos._exit(1)', { session });
      expect(report.outcome).toMatchObject({
        kind: 'crashed',
        error: { hint: expect.stringContaining('"mortal"') },
      });
      expect(await host.value('"x" in globals()', { session })).toBe(false);
    },
  );

  test(verifies('LIMIT-7', 'crashes side by side with good runs cost no good run'), async () => {
    const host = current();
    const runs = Array.from({ length: 6 }, (_, n) =>
      n % 2 === 0 ? host.run('import os\nos._exit(1)').then(codeOf) : host.value(`${n} * 10`),
    );
    expect(await Promise.all(runs)).toEqual(['crashed', 10, 'crashed', 30, 'crashed', 50]);
  });
}
