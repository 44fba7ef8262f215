import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { type Answer, type ServerProcess, type StartOptions, startServer } from './start-server.js';

const PROGRAM = fileURLToPath(new URL('./fake-servers/office-server.mjs', import.meta.url));

/** A call as it reached the downstream server, or a cancellation. */
export interface Reached {
  readonly tool?: string;
  readonly args?: Record<string, unknown>;
  readonly cancelled?: unknown;
}

export interface Office {
  readonly server: ServerProcess;
  /** Runs code in the sandbox of the server. */
  run(code: string, args?: Record<string, unknown>): Promise<Answer>;
  /** What has reached the downstream server since the start or {@link forget}, in order. */
  reached(): Reached[];
  forget(): void;
}

export type Rules = Partial<Record<'allow' | 'ask' | 'deny', string[]>>;

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Our server with the office server (see office-server.mjs) behind it under the name `office`; both end with the test file. */
export async function openOffice(
  options: StartOptions & { rules?: Rules; more?: Record<string, unknown> } = {},
): Promise<Office> {
  const { rules = {}, more = {}, ...start } = options;
  const folder = mkdtempSync(path.join(tmpdir(), 'office-'));
  folders.push(folder);
  const log = path.join(folder, 'calls.jsonl');
  const office = { command: process.execPath, args: [PROGRAM, log], tools: rules };
  const server = await startServer({ ...start, config: { mcpServers: { office, ...more } } });
  return {
    server,
    run: (code, args = {}) => server.call('execute_code', { code, ...args }),
    forget: () => rmSync(log, { force: true }),
    reached: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [],
  };
}
