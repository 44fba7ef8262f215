import { expect } from 'vitest';
import { descendants, isAlive } from '../../scripts/support/processes.mjs';
import { startServer } from '../../scripts/support/server-process.mjs';
import { needs } from '../support/capabilities.js';
import { verifies } from './verifies.js';

needs('linux').test(
  verifies('BAD-10', 'a client that leaves in the middle of a run leaves no process behind'),
  async () => {
    const server = await startServer();
    const run = server
      .call('execute_code', { code: 'while True: pass', timeout_seconds: 60 })
      .catch(() => 'gone');
    await expect.poll(() => descendants(server.pid).length, { timeout: 20_000 }).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const started = [server.pid, ...descendants(server.pid).map((process) => process.pid)];
    await server.close();
    expect(await run).toBe('gone');
    await expect.poll(() => started.filter(isAlive), { timeout: 20_000 }).toEqual([]);
  },
);

needs('linux').test(verifies('BAD-10', 'a server that is killed leaves no worker behind'), async () => {
  const server = await startServer();
  const run = server
    .call('execute_code', { code: 'while True: pass', timeout_seconds: 60 })
    .catch(() => 'gone');
  await expect.poll(() => descendants(server.pid).length, { timeout: 20_000 }).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const started = [server.pid, ...descendants(server.pid).map((process) => process.pid)];
  process.kill(server.pid, 'SIGKILL');
  expect(await run).toBe('gone');
  await expect.poll(() => started.filter(isAlive), { timeout: 20_000 }).toEqual([]);
  await server.close();
});
