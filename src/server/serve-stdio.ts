import type { Readable, Writable } from 'node:stream';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { serveStdio as serveConnection } from '@modelcontextprotocol/server/stdio';
import { WaitingConversations } from './conversation.js';
import { createMcpServer } from './server.js';
import type { ServerDeps } from './server-deps.js';
import { StdioTransport } from './stdio-transport.js';

/** On stdio there is one caller: whoever started the process. */
export const STDIO_PRINCIPAL = 'local';

/** A running stdio connection. */
export interface StdioConnection {
  /** Resolves when the client closed its end, the output broke, or `close` was called. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves MCP over two streams, in either protocol era: the client's first message decides. */
export function serveStdio(deps: ServerDeps, input: Readable, output: Writable): StdioConnection {
  const transport = new StdioTransport(input, output);
  const waiting = new WaitingConversations<CallToolResult>();
  void transport.closed.then(() => waiting.cancelAll());
  const handle = serveConnection(() => createMcpServer(deps, STDIO_PRINCIPAL, { waiting }), {
    transport,
    onerror: (error) => deps.log.warn({ err: error }, 'stdio connection'),
  });
  return { closed: transport.closed, close: () => handle.close() };
}
