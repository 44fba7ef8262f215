import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunReport } from '../../src/core/outcome.js';
import type { Sandbox, Worker } from '../../src/sandbox/sandbox.js';
import type { RunRequest } from '../../src/session/runner.js';
import { Sessions } from '../../src/session/sessions.js';
import type { Workspace } from '../../src/workspace/workspace.js';
import { Workspaces } from '../../src/workspace/workspaces.js';

/** What every backend under test is started with. */
export const LIMITS = { memoryMb: 256, workspaceMb: 64, workspaceFiles: 500 } as const;
/** After its limit a run is answered within this, in milliseconds (promise P4). */
export const GRACE_MS = 2_000;

/** A sandbox with everything around it that a run needs, in this process, and a record of the workers it gave out. */
export class ContractHost implements AsyncDisposable {
  readonly workers: Worker[] = [];
  readonly runner: Sessions;
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'code-execution-contract-'));
  readonly #workspaces = new Workspaces({
    dataDir: this.#folder,
    limitBytes: LIMITS.workspaceMb * 1024 * 1024,
    limitFiles: LIMITS.workspaceFiles,
  });

  constructor(
    readonly sandbox: Sandbox,
    readonly principal = 'tester',
  ) {
    this.runner = new Sessions({
      sandbox: {
        acquire: async (request) => {
          const worker = await sandbox.acquire(request);
          this.workers.push(worker);
          return worker;
        },
      },
      workspace: async (principal) => this.#workspaces.of(principal),
      builtins: 'restricted',
      memoryMb: 512,
      maxSessions: 8,
      sessionIdleMs: 600_000,
    });
  }

  get workspace(): Workspace {
    return this.#workspaces.of(this.principal);
  }

  /** Where the workspace lies on this machine. */
  get folder(): string {
    return this.#workspaces.hostPathOf(this.principal);
  }

  /** One run with a limit of 20 s unless `request` says otherwise. */
  run(code: string, request: Partial<RunRequest> = {}, principal = this.principal): Promise<RunReport> {
    return this.runner.run(principal, { code, context: {}, timeoutMs: 20_000, memoryMb: 256, ...request });
  }

  /** The value of a run that must end well. @throws Error with the whole report if it does not. */
  async value(code: string, request: Partial<RunRequest> = {}, principal?: string): Promise<unknown> {
    return resultOf(await this.run(code, request, principal));
  }

  /** Writes a file as a client would. */
  async write(name: string, content: Uint8Array | string): Promise<void> {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    await this.workspace.write(name, bytes, 'overwrite');
  }

  async read(name: string): Promise<string> {
    return Buffer.from(await this.workspace.read(name)).toString('utf8');
  }

  /** Empties the workspace. */
  async clear(): Promise<void> {
    const view = await this.workspace.openView();
    for (const entry of view.entries) if (!entry.path.includes('/')) await view.stageRemoval(entry.path);
    await view.commit();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.runner[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The value of a run that must have ended well; undefined without one. */
export function resultOf(report: RunReport): unknown {
  if (report.outcome.kind !== 'value') throw new Error(`the run failed: ${JSON.stringify(report, null, 1)}`);
  return report.outcome.value === undefined ? undefined : JSON.parse(report.outcome.value.json);
}

/** The code of a run's failure, `ok` if it ended well. */
export function codeOf(report: RunReport): string {
  return report.outcome.kind === 'value' ? 'ok' : report.outcome.error.code;
}
