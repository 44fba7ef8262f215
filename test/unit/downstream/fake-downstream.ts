import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { DownstreamServer, Launch } from '../../../src/core/downstream-server.js';
import type { Logger } from '../../../src/core/logger.js';
import { NO_SERVER_PRIVACY } from '../../../src/core/pii.js';
import { NO_RULES } from '../../../src/core/policy.js';
import { type DownstreamOptions, DownstreamServers } from '../../../src/downstream/downstream-servers.js';

const FAKE = fileURLToPath(new URL('../../support/fake-servers/fake-server.mjs', import.meta.url));

/** A server entry as the configuration would make it. */
export function entry(name: string, launch: Launch, more: Partial<DownstreamServer> = {}): DownstreamServer {
  return {
    name,
    category: name,
    launch,
    timeoutMs: 20_000,
    rules: NO_RULES,
    privacy: NO_SERVER_PRIVACY,
    fingerprint: 'f',
    secrets: [],
    ...more,
  };
}

/** How to start the fake server with a behaviour. */
export function fake(behaviour = 'ordinary', env: Record<string, string> = {}): Launch {
  return {
    kind: 'stdio',
    command: process.execPath,
    args: [FAKE, behaviour],
    env,
    cwd: tmpdir(),
    protocol: 'legacy',
  };
}

/** A folder of its own for the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'code-execution-downstream-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Servers that end with the test, and what was logged about them. */
export function open(
  servers: readonly DownstreamServer[],
  options: Partial<DownstreamOptions> = {},
): { downstream: DownstreamServers; log: { level: string; message: string }[] } {
  const log: { level: string; message: string }[] = [];
  const level = (name: string) => (_: Record<string, unknown>, message: string) =>
    log.push({ level: name, message });
  const logger: Logger = {
    debug: level('debug'),
    info: level('info'),
    warn: level('warn'),
    error: level('error'),
  };
  const downstream = new DownstreamServers({
    servers,
    cacheFolder: path.join(temporaryFolder(), 'tools'),
    log: logger,
    version: '0.0.0',
    ...options,
  });
  onTestFinished(() => downstream[Symbol.asyncDispose]());
  return { downstream, log };
}

/** A server with one name, started with the behaviour. */
export function openFake(behaviour?: string, options?: Partial<DownstreamOptions>) {
  return open([entry('fake', fake(behaviour))], options);
}
