import { describe, expect, test } from 'vitest';
import type { RunReport } from '../../src/core/outcome.js';
import type { RunRequest } from '../../src/session/runner.js';
import { verifies } from '../e2e/verifies.js';
import { type ContractHost, codeOf } from './contract-host.js';

const MIB = 1024 * 1024;

/**
 * Whatever a run does, it is answered with the right code, and costs only itself. What runs into a time limit here never
 * ends by itself: a limit that is not kept hangs the test. How late the answer is says `npm run bench -- limits`.
 */
export function limitsContract(current: () => ContractHost): void {
  /** Runs code up to a limit; checks that a run beside it is right. */
  async function limited(
    code: string,
    timeoutMs: number,
    request: Partial<RunRequest> = {},
  ): Promise<RunReport> {
    const host = current();
    const report = await host.run(code, { ...request, timeoutMs });
    expect(await host.value('20 + 22', { session: 'bystander' })).toBe(42);
    return report;
  }
  // Started anew only when a test has cost it its worker: half the time of a fresh run for each.
  const session = 'limits';

  describe('time', () => {
    test.each<[string, string]>([
      ['an endless loop', 'while True:\n    pass'],
      [
        'a loop that swallows the interrupt',
        'while True:\n    try:\n        while True: pass\n    except BaseException:\n        pass',
      ],
      [
        'a loop in a finalizer',
        'class Bomb:\n    def __del__(self):\n        while True: pass\nbomb = Bomb()\ndel bomb',
      ],
      [
        'a signal handler of its own',
        'import signal\nsignal.signal(signal.SIGINT, lambda *a: None)\nwhile True: pass',
      ],
      [
        'a trace function that never returns',
        'import sys\ndef trace(*a):\n    while True: pass\nsys.settrace(trace)\n(lambda: 1)()',
      ],
      ['a sleep', 'import time\ntime.sleep(3600)'],
      [
        'an endless generator in C',
        'import itertools, collections\ncollections.deque(itertools.count(), maxlen=0)',
      ],
    ])(verifies('LIMIT-1', '%s is answered as timeout'), async (_what, code) => {
      expect(codeOf(await limited(code, 800, { session }))).toBe('timeout');
    });

    test.each<[string, string]>([
      ['a power of 10**8 digits', 'x = 7 ** (10 ** 8 * 2)'],
      ['a catastrophic regular expression', 'import re\nre.match(r"(a+)+$", "a" * 64 + "b")'],
      ['a factorial', 'import math\nmath.factorial(10 ** 8)'],
      ['a sum', 'sum(range(10 ** 13))'],
    ])(verifies('LIMIT-2', '%s inside C code is answered as timeout'), async (_what, code) => {
      expect(codeOf(await limited(code, 800, { session }))).toBe('timeout');
    });

    test(
      verifies('SESSION-1', 'an interrupted loop leaves the session and its variables alive'),
      async () => {
        const host = current();
        const session = 'interrupted';
        const report = await host.run('x = 42\nwhile True: pass', { session, timeoutMs: 500 });
        expect(codeOf(report)).toBe('timeout');
        expect(await host.value('x', { session })).toBe(42);
      },
    );

    test(
      verifies('SESSION-2', 'a loop that cannot be interrupted costs the session, and its report says so'),
      async () => {
        const host = current();
        const session = 'killed';
        const report = await host.run('x = 42\nsum(range(10 ** 13))', { session, timeoutMs: 500 });
        expect(report.outcome).toMatchObject({
          kind: 'timedOut',
          error: { hint: expect.stringContaining('"killed"') },
        });
        expect(await host.value('"x" in globals()', { session })).toBe(false);
      },
    );
  });

  describe('memory', () => {
    test.each<[string, string]>([
      ['one block', 'x = bytearray(10 * 1024 ** 3)'],
      ['blocks of 10 MB', 'x = []\nwhile len(x) < 1024:\n    x.append(bytearray(10 * 1024 ** 2))'],
      ['a string that doubles', 's = "ab"\nwhile len(s) < 10 * 1024 ** 3:\n    s += s'],
      ['small objects', 'x = {}\nfor i in range(200_000_000):\n    x[i] = (i, str(i))'],
    ])(verifies('LIMIT-3', '10 GB in %s is answered as memory_limit'), async (_what, code) => {
      expect(codeOf(await limited(code, 20_000))).toBe('memory_limit');
    });

    test(verifies('LIMIT-3', 'a MemoryError can be caught, and its session goes on'), async () => {
      const host = current();
      const session = 'hungry';
      const code = `
x = []
try:
    while True: x.append(bytearray(5_000_000))
except MemoryError:
    held = len(x)
    x.clear()
held * 5 < 256 * 1.05`;
      expect(await host.value(code, { session })).toBe(true);
      expect(await host.value('held > 10', { session })).toBe(true);
    });

    test(verifies('LIMIT-3', 'a run gets no more than it was given, though its backend could'), async () => {
      const code = 'x = bytearray(100 * 1024 * 1024)\nlen(x)';
      expect(codeOf(await current().run(code, { memoryMb: 64 }))).toBe('memory_limit');
      expect(await current().value(code, { memoryMb: 200 })).toBe(100 * MIB);
    });

    test(
      verifies('LIMIT-6', 'endless recursion is an ordinary error, in Python and in the parser'),
      async () => {
        const host = current();
        const session = 'deep';
        const deep = await host.run('def f(n):\n    return f(n + 1) + 1\nf(0)', { session });
        expect(deep.outcome).toMatchObject({ kind: 'raised', error: { type: 'RecursionError' } });
        const nested = await host.run(`${'('.repeat(5_000)}1${')'.repeat(5_000)}`, { session });
        expect(nested.outcome.kind).toBe('raised');
        expect(await host.value('1 + 1', { session })).toBe(2);
      },
    );
  });

  describe('output', () => {
    test.each<[string, string]>([
      ['1 GB of prints', 'for _ in range(1_000_000):\n    print("x" * 1023)'],
      ['an endless standard error', 'import sys\nwhile True:\n    sys.stderr.write("x" * 65536)'],
    ])(
      verifies('LIMIT-4', '%s is answered as output_limit, and the host keeps 17 MiB at most'),
      async (_what, code) => {
        const before = process.memoryUsage().rss;
        const report = await limited(code, 20_000);
        expect(codeOf(report)).toBe('output_limit');
        expect(report.output.head.length).toBeLessThanOrEqual(17 * MIB);
        expect(report.output.head.startsWith('x'.repeat(1_000))).toBe(true);
        expect(process.memoryUsage().rss - before).toBeLessThan(200 * MIB);
      },
    );
  });

  test('prints that go on past the limit by catching everything are cut, and end with the time', async () => {
    const code = 'while True:\n    try:\n        print("x" * 65536)\n    except BaseException:\n        pass';
    const report = await limited(code, 2_000, { session });
    expect(['output_limit', 'timeout']).toContain(codeOf(report));
    expect(report.output.head.length).toBeLessThanOrEqual(17 * MIB);
  });

  describe('disk', () => {
    test(
      verifies('LIMIT-5', 'a full workspace is answered as disk_limit, and what fits is kept'),
      async () => {
        const host = current();
        await host.clear();
        const code = `
open("fits.txt", "w").write("fits")
with open("big.bin", "wb") as f:
    while True: f.write(bytes(1_000_000))`;
        expect(codeOf(await limited(code, 20_000))).toBe('disk_limit');
        expect(await host.read('fits.txt')).toBe('fits');
        expect((await host.workspace.usage()).bytes).toBeLessThanOrEqual(64 * MIB);
        await host.clear();
      },
    );

    test(
      verifies('LIMIT-5', 'too many files are answered as disk_limit, in the workspace and in /tmp'),
      async () => {
        const host = current();
        for (const folder of ['.', '/tmp']) {
          const code = `for i in range(2000):\n    open(f"${folder}/n{i}", "w").close()`;
          expect(codeOf(await limited(code, 20_000)), folder).toBe('disk_limit');
        }
        expect((await host.workspace.usage()).files).toBeLessThanOrEqual(500);
        await host.clear();
      },
    );

    test(verifies('LIMIT-5', 'a sparse file counts with its length'), async () => {
      const code = 'with open("sparse", "wb") as f:\n    f.seek(10 * 1024 ** 3)\n    f.write(b"x")';
      expect(codeOf(await limited(code, 20_000))).toBe('disk_limit');
      await current().clear();
    });
  });
}
