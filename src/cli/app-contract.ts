import type { Config } from '../config/config.js';
import type { Logger } from '../core/logger.js';
import type { SandboxInfo } from '../sandbox/sandbox.js';

/** What the commands need of the application; `src/app.ts` makes it. */
export interface App {
  /**
   * Serves MCP on standard input and output. Resolves when the client is gone (standard input ended) and the answers that
   * were ready are written.
   */
  serveStdio(): Promise<void>;
  /** Runs one program in a fresh interpreter, as `execute_code` without a session does. */
  runOnce(code: string, options: RunOnceOptions): Promise<RunOnceAnswer>;
  /** Starts a worker if none was started yet. @throws CodeExecutionError `backend_unavailable` */
  sandboxInfo(): Promise<SandboxInfo>;
  /** What the sandbox is made of on this machine, found without starting it. Never throws for a missing part. */
  sandboxParts(): Promise<readonly SandboxPart[]>;
  /** Ends all workers. Idempotent. */
  close(): Promise<void>;
}

export interface RunOnceOptions {
  /** Milliseconds, 100 to the configured maximum; absent: the configured default. */
  readonly timeoutMs?: number;
  /** MiB, 64 to the configured maximum; absent: the configured maximum. */
  readonly memoryMb?: number;
  readonly signal?: AbortSignal;
}

/** The answer as the model would get it. */
export interface RunOnceAnswer {
  readonly text: string;
  readonly structured: unknown;
  readonly exit: 'ok' | 'failed';
}

/** A thing the sandbox needs: the deno binary, the prepared runtime. */
export interface SandboxPart {
  /** Short stable name: `deno`, `pyodide`, `runtime`. */
  readonly name: string;
  readonly ok: boolean;
  /** One sentence: version and place, or what is missing. */
  readonly detail: string;
  /** How to get it, when it is missing. */
  readonly next?: string;
  /** True when the first start still has to make it, which takes some seconds. */
  readonly pending?: boolean;
}

export type CreateApp = (config: Config, logger: Logger) => Promise<App>;
