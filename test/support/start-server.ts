import { afterAll } from 'vitest';
import type { Answer, ServerProcess, StartOptions } from '../../scripts/support/server-process.mjs';
import { startServer as start } from '../../scripts/support/server-process.mjs';

export type { Answer, ServerProcess, StartOptions };

/** Starts the built server and a real MCP client on its stdio; both end with the test file. */
export async function startServer(options: StartOptions = {}): Promise<ServerProcess> {
  const server = await start(options);
  afterAll(() => server.close());
  return server;
}
