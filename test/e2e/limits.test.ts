import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { descendants } from '../../scripts/support/processes.mjs';
import { needs } from '../support/capabilities.js';
import { type Answer, type ServerProcess, startServer } from '../support/start-server.js';
import { verifies } from './verifies.js';

const MIB = 1024 * 1024;
let server: ServerProcess;

beforeAll(async () => {
  // By name: what a crash looks like differs between the backends. native.test.ts asks the other one.
  server = await startServer({
    config: { sandbox: { backend: 'wasm', workspaceMb: 64, workspaceFiles: 2_000 } },
  });
  await server.call('execute_code', { code: '1' });
});

afterEach(async () => {
  const next = await server.call('execute_code', { code: '20 + 22' });
  expect(next.data.result, 'the next run is right').toBe(42);
});

/** The limit counts from the start of the code, and what is asked here is not how a worker is started. */
async function spareReady(): Promise<void> {
  await expect
    .poll(async () => (await server.call('get_execution_stats')).data.pool, {
      timeout: 30_000,
      interval: 100,
    })
    .toMatchObject({ ready: expect.toSatisfy((ready: number) => ready > 0) });
}

/** Runs with a limit of seconds, and checks that the answer is a failure that says how to go on. */
async function runFor(seconds: number, code: string, args: Record<string, unknown> = {}): Promise<Answer> {
  await spareReady();
  const answer = await server.call('execute_code', { code, timeout_seconds: seconds, ...args });
  expect(answer.isError).toBe(true);
  if (answer.code !== 'python_error') expect(answer.text).toMatch(/^next: \S/m);
  return answer;
}

describe('time', () => {
  test.each<[string, string]>([
    ['an endless loop', 'while True:\n    pass'],
    [
      'a loop that swallows the interrupt',
      'while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass',
    ],
    ['a sleep', 'import time\ntime.sleep(600)'],
    ['an endless await', 'import asyncio\nawait asyncio.sleep(3600)'],
    ['a loop of awaits', 'import asyncio\nwhile True:\n    await asyncio.sleep(0)'],
  ])(verifies('LIMIT-1', '%s is stopped'), async (_what, code) => {
    expect((await runFor(1.5, code)).code).toBe('timeout');
  });

  test.each<[string, string]>([
    ['a power', 'x = 7 ** (10 ** 9)'],
    ['a regular expression', 'import re\nre.match(r"(a+)+$", "a" * 60 + "b")'],
    ['a sum', 'sum(range(10 ** 15))'],
  ])(verifies('LIMIT-2', '%s inside C code is stopped'), async (_what, code) => {
    expect((await runFor(1.5, code)).code).toBe('timeout');
  });

  test('a deadlock is told at once instead of waited for', async () => {
    const answer = await runFor(20, 'import asyncio\nawait asyncio.Event().wait()');
    expect(answer.data.error).toMatchObject({
      code: 'python_error',
      message: expect.stringContaining('deadlock'),
    });
  });

  test(verifies('LIMIT-9', 'what was printed and written before the limit is kept'), async () => {
    const code = 'open("part.txt", "w").write("done so far")\nprint("step 1", flush=True)\nwhile True: pass';
    const answer = await runFor(1.5, code);
    expect(answer.code).toBe('timeout');
    expect(answer.data.output).toContain('step 1');
    expect(answer.data.files_changed).toMatchObject([{ path: 'part.txt' }]);
    const file = await server.call('read_workspace_file', { filename: 'part.txt' });
    expect(file.data.content).toBe('done so far');
  });
});

describe('memory', () => {
  test.each<[string, string]>([
    ['one block', 'x = bytearray(10 * 1024 ** 3)'],
    ['many blocks', 'x = []\nwhile True:\n    x.append(bytearray(50_000_000))'],
    ['many objects', 'x = []\nwhile True:\n    x.append([0] * 1000)'],
  ])(verifies('LIMIT-3', '10 GB in %s is refused'), async (_what, code) => {
    expect((await runFor(20, code, { memory_mb: 256 })).code).toBe('memory_limit');
  });

  test(verifies('LIMIT-6', 'endless recursion is an ordinary error'), async () => {
    const answer = await runFor(20, 'def f(n):\n    return f(n + 1) + 1\nf(0)');
    expect(answer.data.error).toMatchObject({ code: 'python_error', type: 'RecursionError' });
  });
});

describe('output and disk', () => {
  needs('linux').test(
    verifies('LIMIT-4', '1 GB of prints is stopped, and the server does not grow with it'),
    async () => {
      const before = residentBytes(server.pid);
      const answer = await runFor(60, 'line = "x" * 1023\nfor _ in range(1024 * 1024):\n    print(line)');
      expect(answer.code).toBe('output_limit');
      expect(answer.text.length).toBeLessThan(12_000);
      expect(residentBytes(server.pid) - before).toBeLessThan(200 * MIB);
    },
    90_000,
  );

  test.each<[string, string]>([
    [
      'bytes',
      'with open("big.bin", "wb") as f:\n    for _ in range(200):\n        f.write(bytes(1_000_000))',
    ],
    ['files', 'for i in range(5000):\n    open(f"n{i}.txt", "w").write("x")'],
  ])(verifies('LIMIT-5', 'a workspace full of %s is told'), async (_what, code) => {
    const answer = await runFor(60, code);
    expect(answer.code).toBe('disk_limit');
    await server.call('execute_code', {
      code: 'import os\nfor n in os.listdir("."):\n    if n.startswith(("big", "n")): os.remove(n)',
    });
  });
});

test.each<[string, string, RegExp]>([
  ['/tmp', 'open("/tmp/big.bin", "wb").write(bytes(70 * 1024 * 1024))', /^next: \/tmp is full/m],
  ['the workspace', 'open("big.bin", "wb").write(bytes(70 * 1024 * 1024))', /^next: the workspace is full/m],
  ['files in /tmp', 'for i in range(2_001):\n    open(f"/tmp/{i}", "w").close()', /^next: \/tmp is full/m],
])(verifies('LIMIT-5', 'the next step names what is full: %s'), async (_what, code, next) => {
  const answer = await runFor(60, code);
  expect(answer.code).toBe('disk_limit');
  expect(answer.text).toMatch(next);
  await server.call('execute_code', {
    code: 'import os\nif os.path.exists("big.bin"): os.remove("big.bin")',
  });
});

describe('death', () => {
  test.each<[string, string]>([
    ['os._exit', 'import os\nos._exit(1)'],
    ['os.abort', 'import os\nos.abort()'],
    ['a signal to itself', 'import os, signal\nos.kill(os.getpid(), signal.SIGKILL)'],
    ['a broken pointer', 'import ctypes\nctypes.string_at(1 << 31)'],
  ])(verifies('LIMIT-7', '%s ends the worker or fails, and no more'), async (_what, code) => {
    const answer = await runFor(20, code);
    expect(['crashed', 'python_error', 'import_denied']).toContain(answer.code);
  });

  test(verifies('LIMIT-7', 'os._exit is answered as crashed'), async () => {
    expect((await runFor(20, 'import os\nos._exit(1)')).code).toBe('crashed');
  });

  test.each<[string, string, number]>([
    ['a crash in C code', 'import ctypes\nctypes.string_at(1 << 31)', 2],
    [
      'a recursion too deep',
      'import sys\nsys.setrecursionlimit(10**9)\ndef f(n):\n    return f(n + 1) + 1\nf(0)',
      4,
    ],
  ])(verifies('LIMIT-7', 'the dump of %s is one line, about the code'), async (_what, code, line) => {
    const answer = await runFor(20, code);
    expect(answer.code).toBe('crashed');
    expect(answer.data.output).toMatch(
      new RegExp(`^the interpreter died at line ${line} of main\\.py, in .+$`),
    );
  });

  needs('linux').test(
    verifies(['LIMIT-8', 'WALL-4'], 'a fork bomb starts nothing and leaves nothing'),
    async () => {
      const code = `
import os, subprocess, sys
told = []
for attempt in (lambda: os.fork(), lambda: subprocess.run(["true"]), lambda: os.system("true"), lambda: os.popen("true"),
                lambda: os.posix_spawn("/bin/true", ["true"], {}), lambda: os.execv("/bin/true", ["true"])):
    for _ in range(20):
        try:
            attempt()
            told.append("started")
        except BaseException as error:
            told.append(type(error).__name__)
sorted(set(told))`;
      const answer = await server.call('execute_code', { code });
      expect(answer.isError ? [answer.code] : answer.data.result).not.toContain('started');
      const names = descendants(server.pid).map((process) => process.command);
      expect(names.filter((name) => !/^(deno|bwrap|sh|setpriv)/.test(name))).toEqual([]);
    },
  );
});

function residentBytes(pid: number): number {
  const kb = readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+)/m)?.[1];
  return Number(kb) * 1024;
}
