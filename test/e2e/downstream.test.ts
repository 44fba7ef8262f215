import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import type { Launch } from '../../src/core/downstream-server.js';
import type { ServerTools } from '../../src/downstream/downstream.js';
import { isAlive } from '../support/process-alive.js';
import { entry, open, temporaryFolder } from '../unit/downstream/fake-downstream.js';

const require = createRequire(import.meta.url);

/** A server from npm, started as its package says. */
function npm(name: string, args: string[] = [], env: Record<string, string> = {}): Launch {
  const manifest = require.resolve(`${name}/package.json`);
  const { bin } = require(manifest) as { bin: Record<string, string> };
  const file = path.join(path.dirname(manifest), Object.values(bin)[0] ?? '');
  const base = { PATH: process.env.PATH ?? '', HOME: temporaryFolder() };
  return {
    kind: 'stdio',
    command: process.execPath,
    args: [file, ...args],
    env: { ...base, ...env },
    cwd: '/',
    protocol: 'legacy',
  };
}

test('the filesystem, memory and everything servers are listed and called at the same time', async () => {
  const folder = realpathSync(temporaryFolder());
  mkdirSync(path.join(folder, 'sub'));
  for (let i = 0; i < 50; i += 1) writeFileSync(path.join(folder, `file-${i}.txt`), `content ${i}`);
  const { downstream } = open([
    entry('filesystem', npm('@modelcontextprotocol/server-filesystem', [folder])),
    entry(
      'memory',
      npm('@modelcontextprotocol/server-memory', [], { MEMORY_FILE_PATH: path.join(folder, 'memory.jsonl') }),
    ),
    entry('everything', npm('@modelcontextprotocol/server-everything')),
  ]);
  const lists = new Map<string, ServerTools>();
  downstream.onTools((tools) => lists.set(tools.source.server, tools));
  expect(await downstream.discover(10_000)).toEqual([]);
  const counts = Object.fromEntries([...lists].map(([name, { tools }]) => [name, tools.length]));
  expect(counts).toEqual({ filesystem: 14, memory: 9, everything: expect.any(Number) });
  expect(counts.everything).toBeGreaterThanOrEqual(10);

  const read = (i: number) =>
    downstream.call('filesystem', 'read_text_file', { path: path.join(folder, `file-${i}.txt`) });
  const texts = await Promise.all(Array.from({ length: 50 }, (_, i) => read(i)));
  expect(texts.map(({ structured }) => (structured as { content: string }).content)).toEqual(
    Array.from({ length: 50 }, (_, i) => `content ${i}`),
  );
  const outside = await downstream.call('filesystem', 'read_text_file', { path: '/etc/passwd' });
  expect(outside.isError).toBe(true);

  const entities = [{ name: 'Ada', entityType: 'person', observations: ['wrote the first program'] }];
  await downstream.call('memory', 'create_entities', { entities });
  const graph = await downstream.call('memory', 'read_graph', {});
  expect(graph.structured).toEqual({ entities, relations: [] });

  const echo = await downstream.call('everything', 'echo', { message: 'hello' });
  expect(echo).toEqual({ isError: false, content: [{ type: 'text', text: 'Echo: hello' }] });
  const unknown = await downstream.call('everything', 'no-such-tool', {});
  expect(unknown).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('no-such-tool') }],
  });
  const image = await downstream.call('everything', 'get-tiny-image', {});
  expect(image.content).toContainEqual({
    type: 'image',
    mimeType: 'image/png',
    data: expect.stringMatching(/^iVBOR/),
  });
  const steps: number[] = [];
  const long = { duration: 1, steps: 4 };
  await downstream.call('everything', 'trigger-long-running-operation', long, {
    onProgress: ({ done }) => steps.push(done),
  });
  expect(steps).toEqual([1, 2, 3, 4]);
});

test.each([
  ['http', 'streamableHttp', 'mcp'],
  ['sse', 'sse', 'sse'],
] as const)('a server of the 2025 era is reached over %s', async (kind, mode, place) => {
  const port = 30_000 + Math.floor(Math.random() * 20_000);
  const launch = npm('@modelcontextprotocol/server-everything', [mode]);
  if (launch.kind !== 'stdio') throw new Error('no stdio');
  const server = spawn(launch.command, launch.args, {
    env: { ...launch.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    await once(server.stderr, 'data');
    const url = `http://127.0.0.1:${port}/${place}`;
    const remote: Launch =
      kind === 'sse' ? { kind, url, headers: {} } : { kind, url, headers: {}, protocol: 'auto' };
    const { downstream } = open([entry('remote', remote)]);
    await vi.waitFor(async () => expect(await downstream.discover(5_000)).toEqual([]), 10_000);
    const echo = await downstream.call('remote', 'echo', { message: 'hello' });
    expect(echo).toEqual({ isError: false, content: [{ type: 'text', text: 'Echo: hello' }] });
    const steps: number[] = [];
    const long = { duration: 1, steps: 2 };
    await downstream.call('remote', 'trigger-long-running-operation', long, {
      onProgress: ({ done }) => steps.push(done),
    });
    expect(steps).toEqual([1, 2]);
  } finally {
    server.kill('SIGKILL');
  }
});

test.skipIf(process.platform === 'win32')('no server outlives a host that was killed', async () => {
  const host = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('../support/fake-servers/host.mjs', import.meta.url)),
      temporaryFolder(),
      'ordinary',
      'stubborn',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = await once(host.stdout, 'data');
  const { pids } = JSON.parse(String(line)) as { pids: [number, number] };
  expect(pids.map(isAlive)).toEqual([true, true]);
  host.kill('SIGKILL');
  await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]), 20_000);
});
