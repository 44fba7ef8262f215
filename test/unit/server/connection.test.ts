import { expect, onTestFinished, test, vi } from 'vitest';
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
  await vi.waitFor(() => expect(server.requests).toHaveLength(1), 20_000);
  expect(server.requests[0]?.signal?.aborted).toBe(false);
  controller.abort();
  await expect(call).rejects.toThrow();
  await vi.waitFor(() => expect(server.requests[0]?.signal?.aborted).toBe(true), 20_000);
});

test.each(eras)('a client that goes away aborts all its runs and ends the connection (%s)', async (era) => {
  const server = await connect({ era, run: endless });
  const calls = [1, 2].map((n) => server.call('execute_code', { code: String(n) }).catch(() => 'gone'));
  await vi.waitFor(() => expect(server.requests).toHaveLength(2), 20_000);
  server.up.end();
  await server.connection.closed;
  await vi.waitFor(
    () => expect(server.requests.map((request) => request.signal?.aborted)).toEqual([true, true]),
    20_000,
  );
  await server.client.close();
  await Promise.all(calls);
});

test('a broken output ends the connection instead of the process', async () => {
  const server = await connect({ run: endless });
  server.call('execute_code', { code: '1' }).catch(() => undefined);
  await vi.waitFor(() => expect(server.requests).toHaveLength(1), 20_000);
  server.down.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  await server.connection.closed;
  await vi.waitFor(() => expect(server.requests[0]?.signal?.aborted).toBe(true), 20_000);
});

/** Stops the clock, and gives what moves it on by milliseconds. */
function stoppedClock() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  return (ms: number) => vi.advanceTimersByTimeAsync(ms);
}

test('progress and printed lines become notifications that always rise', async () => {
  const pass = stoppedClock();
  const { call } = await connect({
    run: async ({ onProgress }) => {
      onProgress?.({ done: 1, total: 10, message: 'page 1' });
      await pass(250);
      onProgress?.({ message: 'printed' });
      await pass(250);
      onProgress?.({ done: 0, total: 10, message: 'again from 0' });
      await pass(250);
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
  const pass = stoppedClock();
  const { call } = await connect({
    run: async ({ onProgress }) => {
      for (let i = 1; i <= 200; i++) {
        onProgress?.({ message: `line ${i}` });
        if (i % 10 === 0) await pass(25);
      }
      onProgress?.({ message: 'last line' });
      return returned(1);
    },
  });
  const seen: (string | undefined)[] = [];
  await call(
    'execute_code',
    { code: '1' },
    { onprogress: ({ message }: { message?: string }) => seen.push(message) },
  );
  expect(seen).toEqual(['line 1', 'line 100', 'line 200', 'last line']);
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
  // Each run ends only when the other one has begun.
  let begin: () => void = () => undefined;
  const both = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const server = await connect({
    run: async () => {
      if (server.requests.length === 2) begin();
      await both;
      return returned(1);
    },
  });
  const answers = await Promise.all(['1', '2'].map((code) => server.call('execute_code', { code })));
  expect(answers.map(({ isError }) => isError)).toEqual([false, false]);
});

test('an unknown tool is a protocol error', async () => {
  const { call } = await connect();
  await expect(call('run_python', {})).rejects.toMatchObject({ code: -32602 });
});
