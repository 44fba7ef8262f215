import { expect, test } from 'vitest';
import { CodeExecutionError } from '../../../src/core/errors.js';
import { connect, returned } from './harness.js';

test('tells the backend, the layers that are off, limits, runs, LLM tokens and the workspace', async () => {
  const server = await connect({ run: () => returned(1, { bytesRead: 400_000, durationMs: 10 }) });
  server.workspace.put('a', 'xxx');
  await server.call('execute_code', { code: '1' });
  const { text, structured } = await server.call('get_execution_stats');
  const lines = text.split('\n');
  expect(lines[0]).toBe('ok · up 0 s');
  expect(lines.slice(1, 5)).toEqual([
    'sandbox: wasm · Python 3.14.2 · a process without permissions',
    'layers: permissions',
    'layer off: bubblewrap: not installed: install bubblewrap',
    'limits: timeout_seconds 30, max_timeout_seconds 600, memory_mb 512, max_memory_mb 2048, max_output_chars 8000',
  ]);
  expect(lines[5]).toMatch(/^runs: 1 \(ok 1\) · p50 (9\.\d+|10) ms, p95 (9\.\d+|10) ms$/);
  expect(lines.slice(6)).toEqual([
    'LLM tokens: returned ~13, kept out of context ~100k (99.9 %)',
    'workspace: 3 bytes of 50 MB, 1 of 10,000 files',
    'privacy: off',
    'workers: 1 ready, 0 starting, 2 active',
  ]);
  expect(structured).toMatchObject({
    uptime_seconds: 0,
    backend: {
      name: 'wasm',
      python: '3.14.2',
      layers: [
        { name: 'permissions', active: true },
        { name: 'bubblewrap', active: false },
      ],
    },
    runs: { total: 1, by_outcome: { ok: 1 } },
    tokens: { returned: 13, kept_out: 100_000, saved_percent: 99.9 },
    workspace: { bytes: 3, files: 1, limit_bytes: 50_000_000, limit_files: 10_000 },
    pool: { ready: 1, starting: 0, active: 2, target: 2 },
  });
});

test('with servers it tells the tools that are known and the calls that code made; without, neither', async () => {
  const call = { tool: 'hub.a', ms: 1, chars: 2 };
  const toolCalls = [
    { ...call, ok: true },
    { ...call, ok: false },
    { ...call, ok: true },
  ];
  const tools = ['a', 'b'].map((name) => ({ name, inputSchema: {} }));
  const server = await connect({ run: () => returned(1, { toolCalls }), servers: { hub: tools } });
  await server.call('execute_code', { code: '1' });
  const { text, structured } = await server.call('get_execution_stats');
  expect(text).toContain(
    '\ntools known so far: 2 (servers 1, categories 1)\ntool calls: 3, 1 failed\nLLM tokens:',
  );
  expect(structured).toMatchObject({
    catalogue: { servers: 1, categories: 1, tools: 2 },
    tool_calls: { total: 3, failed: 1 },
  });
  const without = await (await connect()).call('get_execution_stats');
  expect(Object.keys(without.structured)).not.toContain('catalogue');
  expect(Object.keys(without.structured)).not.toContain('tool_calls');
  expect(without.text).not.toContain('tools known');
});

test('it tells the mode of privacy, tokens by type, and what was restored and refused', async () => {
  const counts = {
    mode: 'strict',
    tokens: { EMAIL: 1200, CREDIT_CARD: 3 },
    restored: 7,
    refused: 1,
  } as const;
  const { call } = await connect({ privacy: { counts: async () => counts } });
  const { text, structured } = await call('get_execution_stats');
  expect(text).toContain('\nprivacy: strict · tokens: EMAIL 1,200, CREDIT_CARD 3 · restored 7, refused 1\n');
  expect(structured.privacy).toEqual(counts);
});

test('a sandbox that cannot start is told, not failed on', async () => {
  const server = await connect();
  server.deps.sandbox.info = async () => {
    throw new CodeExecutionError('backend_unavailable', 'no deno binary', 'reinstall the package');
  };
  const { text, structured, isError } = await server.call('get_execution_stats');
  expect(isError).toBe(false);
  expect(text).toContain('sandbox: unavailable: no deno binary; reinstall the package');
  expect(structured.backend).toEqual({ problem: 'no deno binary; reinstall the package' });
});

test('it takes no arguments', async () => {
  const { call } = await connect();
  expect((await call('get_execution_stats', { verbose: true })).structured.error).toMatchObject({
    code: 'bad_arguments',
    message: 'unknown argument "verbose"',
    hint: 'this tool takes no arguments',
  });
});
