import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { RunReport } from '../../../src/core/outcome.js';
import { connect, raised, returned } from './harness.js';

const eras = ['legacy', 'modern'] as const;

/** A run that goes on until its signal aborts. */
const endless = ({ signal }: { signal?: AbortSignal }): Promise<RunReport> =>
  new Promise((resolve) => {
    signal?.addEventListener('abort', () => resolve(raised({ code: 'cancelled' }, 'cancelled')));
  });

test.each(eras)('a call works in the %s era', async (era) => {
  const { call, client } = await connect({ era, run: () => returned([1, 2]) });
  expect((await call('execute_code', { code: '1' })).structured).toMatchObject({
    success: true,
    result: [1, 2],
  });
  expect(client.getServerVersion()).toMatchObject({ name: 'code-execution-mcp', version: '9.9.9' });
});

test('the connection is answered while the sandbox is not there', async () => {
  const server = await connect();
  const info = vi.spyOn(server.deps.sandbox, 'info');
  await server.client.listTools();
  expect(info).not.toHaveBeenCalled();
  expect(server.requests).toEqual([]);
});

test.each(eras)('cancelling a call aborts its run (%s)', async (era) => {
  const server = await connect({ era, run: endless });
  const controller = new AbortController();
  const call = server.call('execute_code', { code: '1' }, { signal: controller.signal });
  await vi.waitFor(() => expect(server.requests).toHaveLength(1));
  expect(server.requests[0]?.signal?.aborted).toBe(false);
  controller.abort();
  await expect(call).rejects.toThrow();
  await vi.waitFor(() => expect(server.requests[0]?.signal?.aborted).toBe(true));
});

test.each(eras)('a client that goes away aborts all its runs and ends the connection (%s)', async (era) => {
  const server = await connect({ era, run: endless });
  const calls = [1, 2].map((n) => server.call('execute_code', { code: String(n) }).catch(() => 'gone'));
  await vi.waitFor(() => expect(server.requests).toHaveLength(2));
  server.up.end();
  await server.connection.closed;
  await vi.waitFor(() =>
    expect(server.requests.map((request) => request.signal?.aborted)).toEqual([true, true]),
  );
  await server.client.close();
  await Promise.all(calls);
});

test('a broken output ends the connection instead of the process', async () => {
  const server = await connect({ run: endless });
  server.call('execute_code', { code: '1' }).catch(() => undefined);
  await vi.waitFor(() => expect(server.requests).toHaveLength(1));
  server.down.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  await server.connection.closed;
  await vi.waitFor(() => expect(server.requests[0]?.signal?.aborted).toBe(true));
});

test('progress and printed lines become notifications that always rise', async () => {
  const { call } = await connect({
    run: async ({ onProgress }) => {
      onProgress?.({ done: 1, total: 10, message: 'page 1' });
      await sleep(300);
      onProgress?.({ message: 'printed' });
      await sleep(300);
      onProgress?.({ done: 0, total: 10, message: 'again from 0' });
      await sleep(300);
      onProgress?.({ done: 7, message: 'page 7\x1b[0m' });
      return returned(1);
    },
  });
  const seen: { progress: number; total?: number; message?: string }[] = [];
  await call('execute_code', { code: '1' }, { onprogress: (one: (typeof seen)[number]) => seen.push(one) });
  expect(seen).toEqual([
    { progress: 1, total: 10, message: 'page 1' },
    { progress: 1.0001, total: 10, message: 'printed' },
    { progress: expect.closeTo(1.0002, 6), total: 10, message: 'again from 0' },
    { progress: 7, total: 10, message: 'page 7' },
  ]);
});

test('a flood of prints is thinned to four notifications a second, the last one kept', async () => {
  const { call } = await connect({
    run: async ({ onProgress }) => {
      for (let i = 1; i <= 200; i++) {
        onProgress?.({ message: `line ${i}` });
        if (i % 10 === 0) await sleep(25);
      }
      return returned(1);
    },
  });
  const seen: (string | undefined)[] = [];
  const start = performance.now();
  await call(
    'execute_code',
    { code: '1' },
    { onprogress: ({ message }: { message?: string }) => seen.push(message) },
  );
  expect(seen.length).toBeLessThanOrEqual(2 + Math.ceil((performance.now() - start) / 250));
  expect(seen[0]).toBe('line 1');
  expect(seen.at(-1)).toBe('line 200');
});

test('a client that did not ask gets no notifications', async () => {
  const server = await connect({
    run: ({ onProgress }) => {
      onProgress?.({ message: 'x' });
      return returned(1);
    },
  });
  const sent: string[] = [];
  server.down.on('data', (data: Buffer) => sent.push(data.toString()));
  await server.call('execute_code', { code: '1' });
  expect(sent.join('')).not.toContain('notifications/progress');
});

test('two calls run at the same time', async () => {
  let running = 0;
  let most = 0;
  const { call } = await connect({
    run: async () => {
      most = Math.max(most, ++running);
      await sleep(30);
      running--;
      return returned(1);
    },
  });
  await Promise.all([call('execute_code', { code: '1' }), call('execute_code', { code: '2' })]);
  expect(most).toBe(2);
});

test('an unknown tool is a protocol error', async () => {
  const { call } = await connect();
  await expect(call('run_python', {})).rejects.toMatchObject({ code: -32602 });
});
