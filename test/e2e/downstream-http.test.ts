import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import type { Launch } from '../../src/core/downstream-server.js';
import { entry, open } from '../unit/downstream/fake-downstream.js';

type Answer = (request: Request) => Promise<Response>;

/** An HTTP server on this machine that ends with the test. */
async function serve(answer: Answer): Promise<{ url: string; launch: Launch }> {
  const server = createServer((request, response) => {
    void forward(answer, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return {
    url,
    launch: { kind: 'http', url, headers: { Authorization: 'Bearer abcdef' }, protocol: 'auto' },
  };
}

async function forward(answer: Answer, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const gone = new AbortController();
  outgoing.on('close', () => gone.abort());
  const response = await answer(
    new Request(`http://127.0.0.1${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: incoming.headers as Record<string, string>,
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
      signal: gone.signal,
    }),
  );
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  if (response.body) for await (const chunk of response.body) outgoing.write(chunk);
  outgoing.end();
}

/** A server of the 2026 era with one tool, or two. */
function modern() {
  const state = { tools: 1, begun: 0, cancelled: 0 };
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'modern', version: '1' }, { instructions: 'Modern.' });
      server.registerTool(
        'count',
        {
          description: 'counts',
          inputSchema: z.object({ to: z.number() }),
          outputSchema: z.object({ n: z.number() }),
        },
        async ({ to }, ctx) => {
          if (to < 0) {
            state.begun += 1;
            await new Promise((resolve) => ctx.mcpReq.signal.addEventListener('abort', resolve));
            state.cancelled += 1;
          }
          const structuredContent = { n: to };
          return { content: [{ type: 'text', text: String(to) }], structuredContent };
        },
      );
      if (state.tools === 2) server.registerTool('second', {}, async () => ({ content: [] }));
      return server;
    },
    { legacy: 'reject' },
  );
  onTestFinished(() => handler.close());
  return { handler, state };
}

test('a server of the 2026 era is listed, called, cancelled, and tells of changes', async () => {
  const { handler, state } = modern();
  const seenHeaders: (string | null)[] = [];
  const { launch } = await serve((request) => {
    seenHeaders.push(request.headers.get('authorization'));
    return handler.fetch(request);
  });
  const { downstream } = open([entry('modern', launch)]);
  const lists: string[][] = [];
  downstream.onTools(({ tools }) => lists.push(tools.map(({ name }) => name)));
  expect(await downstream.discover(5_000)).toEqual([]);
  expect(lists).toEqual([['count']]);
  const result = await downstream.call('modern', 'count', { to: 3 });
  expect(result).toEqual({ isError: false, structured: { n: 3 }, content: [{ type: 'text', text: '3' }] });
  expect(new Set(seenHeaders)).toEqual(new Set(['Bearer abcdef']));

  const wrong = await downstream.call('modern', 'count', { to: 'three' });
  expect(wrong).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: expect.stringContaining('count') }],
  });

  const controller = new AbortController();
  const cancelled = downstream.call('modern', 'count', { to: -1 }, { signal: controller.signal });
  void vi.waitFor(() => expect(state.begun).toBe(1), 20_000).then(() => controller.abort());
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  await vi.waitFor(() => expect(state.cancelled).toBe(1), 20_000);

  state.tools = 2;
  handler.notify.toolsChanged();
  await vi.waitFor(() => expect(lists).toEqual([['count'], ['count', 'second']]), 5_000);
});

/** A server of the 2025 era over plain JSON, with sessions; enough to see what becomes of them. */
function sessions() {
  const state = { session: 'one', calls: 0 };
  const answer: Answer = async (request) => {
    if (request.method !== 'POST')
      return new Response(null, { status: request.method === 'GET' ? 405 : 200 });
    const { id, method, params } = (await request.json()) as {
      id?: number;
      method: string;
      params: { protocolVersion: string };
    };
    const reply = (result: unknown, headers = {}) =>
      Response.json({ jsonrpc: '2.0', id, result }, { headers });
    if (method === 'server/discover') return new Response('no session', { status: 400 });
    if (method === 'initialize') {
      const serverInfo = { name: 's', version: '1' };
      const { protocolVersion } = params;
      return reply(
        { protocolVersion, capabilities: { tools: {} }, serverInfo },
        { 'mcp-session-id': state.session },
      );
    }
    if (request.headers.get('mcp-session-id') !== state.session)
      return new Response('unknown session', { status: 404 });
    if (id === undefined) return new Response(null, { status: 202 });
    if (method === 'tools/list') return reply({ tools: [{ name: 't', inputSchema: {} }] });
    state.calls += 1;
    return reply({ content: [{ type: 'text', text: `${state.session} ${state.calls}` }] });
  };
  return { state, answer };
}

test('a session that the server has forgotten is opened again within the call', async () => {
  const { state, answer } = sessions();
  const { launch } = await serve(answer);
  const { downstream } = open([entry('s', launch)]);
  expect((await downstream.call('s', 't', {})).content).toEqual([{ type: 'text', text: 'one 1' }]);
  state.session = 'two';
  expect((await downstream.call('s', 't', {})).content).toEqual([{ type: 'text', text: 'two 2' }]);
});

test('headers with secrets do not follow a redirect to another place', async () => {
  let leaked = 0;
  const other = await serve(async () => {
    leaked += 1;
    return new Response(null, { status: 500 });
  });
  const { launch } = await serve(
    async () => new Response(null, { status: 307, headers: { location: other.url } }),
  );
  const { downstream } = open([entry('r', launch)]);
  expect(await downstream.discover(5_000)).toEqual([
    { server: 'r', message: 'answered with HTTP 307', cached: false },
  ]);
  expect(leaked).toBe(0);
});

test.each([
  [401, 'wants a sign-in (HTTP 401): the operator puts a token into its headers in the configuration'],
  [403, 'answered with HTTP 403'],
  [500, 'answered with HTTP 500'],
])('a server that answers with %i is a problem in plain words', async (status, message) => {
  const { launch } = await serve(async () => new Response('secret detail', { status }));
  const { downstream } = open([entry('h', launch)]);
  expect(await downstream.discover(5_000)).toEqual([{ server: 'h', message, cached: false }]);
});

test('a server that takes the request and never answers ends at the deadline', async () => {
  const { launch } = await serve(() => new Promise(() => undefined));
  const { downstream } = open([entry('h', launch)], { connectTimeoutMs: 600 });
  expect(await downstream.discover(5_000)).toEqual([
    { server: 'h', message: 'did not answer within 0.6 s', cached: false },
  ]);
});
