import { beforeAll, expect, test } from 'vitest';
import { descendants } from '../../scripts/support/processes.mjs';
import { needs } from '../support/capabilities.js';
import { type ServerProcess, startServer } from '../support/start-server.js';
import { verifies } from './verifies.js';

needs('linux', 'bubblewrap', 'python3').describe('the native backend, asked for by name', () => {
  let server: ServerProcess;
  const run = (code: string, args: Record<string, unknown> = {}) =>
    server.call('execute_code', { code, ...args });

  beforeAll(async () => {
    server = await startServer({ config: { sandbox: { backend: 'native', workspaceMb: 64 } } });
  });

  test(verifies('STATS-1', 'names itself and its layers in the stats'), async () => {
    const { data } = await server.call('get_execution_stats');
    const backend = data.backend as { name: string; layers: { name: string; active: boolean }[] };
    expect(backend.name).toBe('native');
    const active = backend.layers.filter((layer) => layer.active).map(({ name }) => name);
    expect(active).toEqual(expect.arrayContaining(['self-test', 'bubblewrap', 'system-calls', 'disk-cap']));
  });

  test(verifies('RUN-1', 'runs code, keeps sessions and saves files'), async () => {
    expect((await run('sum(range(10))')).data.result).toBe(45);
    await run('x = 41\nopen("kept.txt", "w").write("kept")', { session: 's' });
    expect((await run('x + 1', { session: 's' })).data.result).toBe(42);
    expect((await server.call('read_workspace_file', { filename: 'kept.txt' })).text).toContain('kept');
  });

  test('has real threads', async () => {
    const code = `
import threading
from concurrent.futures import ThreadPoolExecutor
barrier = threading.Barrier(3, timeout=5)
with ThreadPoolExecutor(3) as pool: n = sum(pool.map(lambda i: (barrier.wait(), i)[1], range(3)))
n`;
    expect((await run(code)).data.result).toBe(3);
  });

  test.each<[string, string]>([
    ['one block', 'x = bytearray(10 * 1024 ** 3)'],
    ['many objects', 'x = []\nwhile True:\n    x.append([0] * 1000)'],
  ])(verifies('LIMIT-3', '10 GB in %s is refused'), async (_what, code) => {
    expect((await run(code, { memory_mb: 256 })).code).toBe('memory_limit');
  });

  test(verifies('LIMIT-3', 'a session that has filled its memory goes on'), async () => {
    const session = { session: 'full', memory_mb: 128 };
    expect((await run('x = []\nwhile True: x.append([0] * 1000)', session)).code).toBe('memory_limit');
    expect((await run('n = len(x)\ndel x\nn > 1000', session)).data.result).toBe(true);
    expect((await run('len([[0] * 1000 for _ in range(5_000)])', session)).data.result).toBe(5_000);
  });

  test(verifies('LIMIT-7', 'the dump of a crash in C code is one line, about the code'), async () => {
    const answer = await run('import ctypes\nctypes.string_at(1)');
    expect(answer.code).toBe('crashed');
    expect(answer.data.output).toMatch(/^the interpreter died at line 2 of main\.py, in .+$/);
  });

  test(verifies('LIMIT-8', 'starts no process for code'), async () => {
    const before = descendants(server.pid).length;
    const answer = await run('import os\nos.fork()');
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('no other processes');
    await expect
      .poll(() => descendants(server.pid).length, { timeout: 5_000 })
      .toBeLessThanOrEqual(before + 6);
  });
});

needs('linux').describe('a native backend that does not work here', () => {
  const python = '/no/such/python3';
  const problem = `sandbox.python: there is no ${python}`;

  test(verifies('STATS-1', 'gives way under auto, and the stats say why and what to do'), async () => {
    const server = await startServer({ config: { sandbox: { backend: 'auto', python } } });
    expect((await server.call('execute_code', { code: '20 + 22' })).data.result).toBe(42);
    const { data } = await server.call('get_execution_stats');
    const backend = data.backend as { name: string; layers: object[] };
    expect(backend.name).toBe('wasm');
    expect(backend.layers).toContainEqual({
      name: 'native',
      active: false,
      detail: `not used: ${problem}; next: correct the path`,
    });
  }, 180_000); // the embedded runtime may have to be prepared first

  test('never gives way when asked for by name: a run is an error with the reason and the next step', async () => {
    const server = await startServer({ config: { sandbox: { backend: 'native', python } } });
    const answer = await server.call('execute_code', { code: '20 + 22' });
    expect(answer.code).toBe('backend_unavailable');
    expect(answer.text).toContain(problem);
    expect(answer.text).toContain('correct the path');
  });
});
