import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { CodeExecutionError } from '../../core/errors.js';
import type { ServerDeps } from '../server-deps.js';
import { listenHost } from './address.js';
import { FrontDoor, MCP_PATH } from './front-door.js';
import type { HttpOptions } from './http-options.js';

/** Against clients that send a byte a minute: so long may the headers take, and the whole request, in milliseconds. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 120_000;
/** Longer than proxies keep idle connections (60 s), so that none sends on one that is just being closed. */
const IDLE_CONNECTION_MS = 65_000;
const MAX_CONNECTIONS = 1_024;
const MAX_HEADERS = 100;
const MAX_HEADER_BYTES = 16 * 1024;
/** Connections that do not end by themselves are cut after this, in milliseconds. */
const CUT_MS = 500;

/** A listening HTTP server. */
export interface HttpService {
  /** Where clients reach it. */
  readonly url: string;
  /** Resolves when it has stopped. */
  readonly closed: Promise<void>;
  /** Stops listening, gives running calls a second, cancels the rest. Idempotent. */
  close(): Promise<void>;
}

/**
 * Serves MCP over Streamable HTTP, in both protocol eras, to the principals that have a token.
 * @throws CodeExecutionError `config_error`: the address cannot be listened at.
 */
export async function serveHttp(deps: ServerDeps, options: HttpOptions): Promise<HttpService> {
  const door = new FrontDoor(deps, options);
  const server = createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: 5_000,
      keepAliveTimeout: IDLE_CONNECTION_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    (incoming, outgoing) => void door.handle(incoming, outgoing),
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.maxHeadersCount = MAX_HEADERS;
  const closed = new Promise<void>((resolve) => server.once('close', resolve));
  try {
    await listen(server, options);
  } catch (error) {
    await door.close();
    throw error;
  }
  // Such as too many open files: the connection is lost, the server is not.
  server.on('error', (err) => deps.log.error({ err }, 'HTTP server'));
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    server.close();
    await door.close();
    server.closeIdleConnections();
    const cut = setTimeout(() => server.closeAllConnections(), CUT_MS);
    await closed;
    clearTimeout(cut);
  };
  return {
    url: urlOf(server, options.host),
    closed,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

async function listen(server: Server, { host, port }: HttpOptions): Promise<void> {
  try {
    server.listen({ host: listenHost(host), port, exclusive: true });
    await once(server, 'listening');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    const reason = REASONS[code] ?? `the system says ${code}`;
    throw new CodeExecutionError(
      'config_error',
      `cannot listen at ${host}:${port}: ${reason}`,
      'name another address: serve --http HOST:PORT (port 0: one that is free), or http.host and http.port',
      { cause },
    );
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'this user may not use the port',
  EADDRNOTAVAIL: 'this machine does not have the address',
  ENOTFOUND: 'no address is known for the name',
};

function urlOf(server: Server, host: string): string {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the HTTP server has no address');
  return `http://${host}:${address.port}${MCP_PATH}`;
}
