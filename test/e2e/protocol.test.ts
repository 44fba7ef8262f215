import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ENTRY } from '../../scripts/support/server-process.mjs';
import { llmTokens } from '../../scripts/support/tokens.mjs';
import { type ServerProcess, startServer } from '../support/start-server.js';
import { verifies } from './verifies.js';

const TOOLS = [
  'execute_code',
  'get_execution_stats',
  'get_tool_definition',
  'list_skills',
  'list_workspace_files',
  'load_skill',
  'read_workspace_file',
  'restore_pii',
  'sanitize_pii',
  'save_skill',
  'search_tools',
  'write_workspace_file',
];

describe.each(['legacy', 'auto'] as const)('over stdio, %s protocol era', (era) => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServer({ era });
  });

  test(verifies('MCP-2', 'tools/list holds exactly the tools that work'), async () => {
    const { tools } = await server.client.listTools();
    expect(tools.map((tool) => tool.name).sort()).toEqual(TOOLS);
    for (const tool of tools) {
      expect(tool.annotations, tool.name).toBeDefined();
      expect(tool.outputSchema, tool.name).toBeDefined();
      const properties = Object.values(tool.inputSchema.properties ?? {}) as { description?: string }[];
      expect(properties.filter((property) => !property.description)).toEqual([]);
    }
  });

  test(
    verifies('MCP-2', 'tools/list costs at most 1,650 LLM tokens, the instructions at most 400'),
    async () => {
      const { tools } = await server.client.listTools();
      const forModel = tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        inputSchema,
      }));
      expect(llmTokens(JSON.stringify(forModel))).toBeLessThanOrEqual(1_650);
      expect(llmTokens(server.client.getInstructions() ?? '')).toBeLessThanOrEqual(400);
    },
  );

  test(
    verifies('MCP-4', 'text and structured content carry the same facts, checked against the schema'),
    async () => {
      await server.client.listTools(); // from here on the client checks structured content against the output schemas
      const ok = await server.call('execute_code', { code: 'print("checked 500 rows")\n{"due": 18450.75}' });
      expect(ok.text).toMatch(/^ok · \d+(\.\d+)? m?s/);
      expect(ok.text).toMatch(/\{"due": ?18450\.75\}/);
      expect(ok.text).toContain('checked 500 rows');
      expect(ok.data).toMatchObject({
        success: true,
        result: { due: 18450.75 },
        output: 'checked 500 rows',
      });
      const bad = await server.call('execute_code', { code: 'a = 1\nb = a / 0' });
      expect(bad.text).toMatch(/^failed · /);
      expect(bad.text).toContain('ZeroDivisionError');
      expect(bad.text).toContain('b = a / 0');
      expect(bad.data).toMatchObject({
        success: false,
        error: { code: 'python_error', type: 'ZeroDivisionError', line: 2 },
      });
      expect(bad.isError).toBe(true);
    },
  );

  test(verifies('MCP-5', 'progress() and prints become progress notifications'), async () => {
    const seen: { progress: number; message?: string | undefined }[] = [];
    const code = `
import time
print("loading", flush=True)
time.sleep(0.6)
progress(40, 100, "half way")
time.sleep(0.6)
"done"`;
    const answer = await server.call(
      'execute_code',
      { code },
      { onprogress: (progress) => seen.push(progress) },
    );
    expect(answer.data.result).toBe('done');
    expect(seen.map((progress) => progress.message)).toContain('half way');
    expect(seen.some((progress) => /loading/.test(progress.message ?? ''))).toBe(true);
    const values = seen.map((progress) => progress.progress);
    expect(values).toEqual([...values].sort((a, b) => a - b));
  });

  test(verifies('MCP-6', 'cancelling stops the run, and the next one is right'), async () => {
    const abort = new AbortController();
    const endless = server.call(
      'execute_code',
      { code: 'print("on", flush=True)\nwhile True: pass', timeout_seconds: 60 },
      { signal: abort.signal, onprogress: () => abort.abort() },
    );
    await expect(endless).rejects.toThrow();
    expect((await server.call('execute_code', { code: '20 + 22' })).data.result).toBe(42);
    const outcomes = async () => (await server.call('get_execution_stats')).data.runs;
    await expect.poll(outcomes, { timeout: 20_000 }).toMatchObject({ by_outcome: { cancelled: 1 } });
  });
});

test(verifies('STATS-1', 'the stats name backend, layers, limits, runs, tokens and the pool'), async () => {
  const server = await startServer({ config: { sandbox: { backend: 'wasm' } } });
  await server.call('execute_code', { code: '1' });
  await server.call('execute_code', { code: '1 / 0' });
  const { data } = await server.call('get_execution_stats');
  const backend = data.backend as { layers: { name: string; active: boolean; detail: string }[] };
  expect(backend).toMatchObject({ name: 'wasm', python: expect.stringMatching(/^3\.14\./) });
  expect(backend.layers.find((layer) => layer.name === 'permissions')).toMatchObject({ active: true });
  expect(data.runs).toMatchObject({ total: 2 });
  expect(data.limits).toMatchObject({ timeout_seconds: 30, memory_mb: 512 });
  expect(data.tokens).toMatchObject({ returned: expect.any(Number), kept_out: expect.any(Number) });
  expect(data.pool).toMatchObject({ target: expect.any(Number) });
});

test(verifies('MCP-3', 'initialize is answered although the sandbox cannot start'), async () => {
  const server = await startServer({ env: { CODE_EXECUTION_CACHE_DIR: '/dev/null/nowhere' } });
  expect(server.client.getServerVersion()?.name).toBe('code-execution-mcp');
  const answer = await server.call('execute_code', { code: '1' });
  expect(answer.code).toBe('backend_unavailable');
  expect(answer.text).toMatch(/^next: /m);
});

test(verifies('MCP-7', 'nothing but protocol lines is written to standard output'), async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'code-execution-mcp-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const child = spawn(process.execPath, [ENTRY, '--data-dir', folder], { cwd: folder, stdio: 'pipe' });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'raw', version: '1' };
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  });
  await expect.poll(() => out, { timeout: 20_000 }).toContain('"id":1');
  send({ method: 'notifications/initialized' });
  const code = 'import sys, os\nprint("text")\nos.write(1, b"raw")\nsys.stderr.write("err")';
  send({ id: 2, method: 'tools/call', params: { name: 'execute_code', arguments: { code } } });
  await expect.poll(() => out, { timeout: 30_000 }).toContain('"id":2');
  child.stdin.end();
  const exit = await new Promise((resolve) => child.once('exit', resolve));
  expect(exit).toBe(0);
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.every((line) => line.jsonrpc === '2.0')).toBe(true);
  expect(lines.filter((line) => 'id' in line).map((line) => line.id)).toEqual([1, 2]);
});

test.each<[string, string[], RegExp]>([
  ['is silent', [], /^$/],
  ['tells of its start at --log-level info', ['--log-level', 'info'], /"level":"info".*configuration from/],
])('the log of an ordinary start and run %s', async (_what, args, log) => {
  const server = await startServer({ args });
  expect((await server.call('execute_code', { code: '6 * 7' })).data.result).toBe(42);
  // The first start on a machine says why it takes long.
  const lines = server.stderr().split('\n');
  expect(lines.filter((line) => !line.includes('preparing the sandbox runtime')).join('\n')).toMatch(log);
});
