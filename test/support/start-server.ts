import { afterAll } from 'vitest';
import type { Answer, ServerProcess, StartOptions } from '../../scripts/support/server-process.mjs';
import { startServer as start } from '../../scripts/support/server-process.mjs';

export type { Answer, ServerProcess, StartOptions };

const started: ServerProcess[] = [];

// Registered while the test file is collected: from inside a hook or a test, vitest would take it and never call it.
afterAll(async () => {
  await Promise.all(started.splice(0).map((server) => server.close()));
});

/** Starts the built server and a real MCP client on its stdio; both end with the test file. */
export async function startServer(options: StartOptions = {}): Promise<ServerProcess> {
  const server = await start(options);
  started.push(server);
  return server;
}
