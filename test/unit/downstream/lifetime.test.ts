import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { OrphanGuard, ServerProcess } from '../../../src/downstream/child-process.js';
import { isAlive } from '../../support/process-alive.js';
import { openFake, temporaryFolder } from './fake-downstream.js';

const noGroups = process.platform === 'win32';

test.each([
  ['ends at the end of its input', 'ordinary'],
  ['ignores the end of its input and SIGTERM', 'stubborn'],
])('closing ends a server that %s', async (_, behaviour) => {
  const { downstream } = openFake(behaviour);
  const { structured } = await downstream.call('fake', 'echo', { do: 'environment' });
  const { pid } = structured as { pid: number };
  expect(isAlive(pid)).toBe(true);
  await downstream[Symbol.asyncDispose]();
  expect(isAlive(pid)).toBe(false);
});

test('closing does not wait for a server that never answered, and ends it', async () => {
  const { downstream } = openFake('hang', { connectTimeoutMs: 600_000 });
  const waiting = downstream.discover(600_000);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await downstream[Symbol.asyncDispose]();
  await waiting;
  await expect(downstream.call('fake', 'echo', {})).rejects.toMatchObject({ code: 'tool_unavailable' });
});

test.skipIf(noGroups)('what a server has started ends with it', async () => {
  const file = path.join(temporaryFolder(), 'pid');
  const guard = new OrphanGuard();
  // As npx does: the leader waits for a child, which here takes no notice of anything.
  const script = '(trap "" TERM; exec sleep 1000) & echo $! > "$FILE"; read -r x; exit 0';
  const env = { FILE: file, PATH: '/usr/bin:/bin' };
  const server = await ServerProcess.start(
    { command: '/bin/sh', args: ['-c', script], cwd: '/', env },
    guard,
  );
  const pid = await vi.waitFor(() => {
    const found = Number(readFileSync(file, 'utf8'));
    expect(found).toBeGreaterThan(0);
    return found;
  }, 20_000);
  expect(isAlive(pid)).toBe(true);
  await server.end();
  guard.close();
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 20_000);
});

test.skipIf(noGroups)('what a server that crashes leaves behind is ended', async () => {
  const file = path.join(temporaryFolder(), 'pid');
  const guard = new OrphanGuard();
  const env = { FILE: file, PATH: '/usr/bin:/bin' };
  const script = 'sleep 1000 & echo $! > "$FILE"; exit 7';
  const server = await ServerProcess.start(
    { command: '/bin/sh', args: ['-c', script], cwd: '/', env },
    guard,
  );
  expect(await server.ended).toBe('exit code 7');
  guard.close();
  await vi.waitFor(() => expect(isAlive(Number(readFileSync(file, 'utf8')))).toBe(false), 20_000);
});
