import type { Config } from '../config/config.js';
import type { Logger } from '../core/logger.js';
import type { RestoredText } from '../privacy/vault/vault.js';
import type { PostureRow, SandboxInfo } from '../sandbox/sandbox.js';
import type { ListenAddress } from '../server/http/address.js';
import type { SkillArchive, TestOutcome } from '../skills/skills.js';

/** What the commands need of the application; `src/app.ts` makes it. */
export interface App {
  /**
   * Serves MCP on standard input and output. Resolves when the client is gone (standard input ended) and the answers that
   * were ready are written.
   */
  serveStdio(): Promise<void>;
  /**
   * Serves MCP over HTTP to the principals of `http.tokens`, at `address` or at that of the configuration. `close` ends it.
   * @throws CodeExecutionError `config_error`: nobody has a token, no host is allowed, or the address cannot be had.
   */
  serveHttp(address?: Partial<ListenAddress>): Promise<HttpServing>;
  /** Runs one program in a fresh interpreter, as `execute_code` without a session does. */
  runOnce(code: string, options: RunOnceOptions): Promise<RunOnceAnswer>;
  /** Searches the tools of the downstream servers: the server tool `search_tools` with its arguments. */
  searchTools(args: Readonly<Record<string, unknown>>): Promise<RunOnceAnswer>;
  /** The downstream servers of the configuration, asked now. */
  servers(): Promise<readonly ServerState[]>;
  /** Tools whose definition is new, changed, or claims the name of another server's tool; the servers are asked now. */
  toolReviews(): Promise<readonly ToolReview[]>;
  /** Accepts the definition of a tool as it is now. @throws CodeExecutionError `tool_unknown` */
  acceptTool(id: string): Promise<void>;
  /** A text with the values of this user's tokens in place of them, for the person at this machine. */
  restoreText(text: string): Promise<RestoredText>;
  /** Erases all values of this user's tokens. */
  forgetValues(): Promise<void>;
  /** The skills of this user. */
  skills(): Promise<SkillArchive>;
  /**
   * Runs the examples of a skill, or of a former version, in a fresh interpreter and keeps the outcome.
   * @throws CodeExecutionError `not_found`, `bad_arguments` (no examples), or why no worker could be had.
   */
  testSkill(name: string, version?: number): Promise<TestOutcome>;
  /** Starts a worker if none was started yet. @throws CodeExecutionError `backend_unavailable` */
  sandboxInfo(): Promise<SandboxInfo>;
  /** What the sandbox is made of on this machine, found without starting it. Never throws for a missing part. */
  sandboxParts(): Promise<readonly SandboxPart[]>;
  /** What a waiting worker may do, as the kernel shows it; empty where the backend has nothing to tell. */
  posture(): Promise<readonly PostureRow[]>;
  /** Ends all workers. Idempotent. */
  close(): Promise<void>;
}

/** An HTTP server that listens. */
export interface HttpServing {
  /** Where clients reach it, with the port that it has. */
  readonly url: string;
  /** The file with the token that was made for this run, because the configuration names none. */
  readonly tokenFile?: string;
  /** Resolves when it has stopped. */
  readonly closed: Promise<void>;
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

/** One downstream server. */
export interface ServerState {
  /** As it stands in the configuration; for a registry the category. */
  readonly name: string;
  readonly category: string;
  readonly tools: readonly ListedTool[];
  /** What is wrong with it, as the end of a sentence that begins with the server. */
  readonly problem?: string;
  /** Known from a registry: there is no server. */
  readonly isRegistry: boolean;
}

export interface ListedTool {
  /** `server.tool(arguments) -> type` */
  readonly signature: string;
  /** What becomes of a call. */
  readonly verdict: 'allow' | 'ask' | 'deny';
  /** Why not `allow`. */
  readonly reason: string;
}

/** A definition that a person should look at. */
export interface ToolReview {
  /** `server.tool` */
  readonly id: string;
  readonly standing: 'new' | 'changed' | 'shadowing';
  /** For `shadowing`: the tool whose name it claims. */
  readonly claims?: string;
  /** The definition as it is now, for reading. */
  readonly text: string;
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
  /** True where the sandbox does without it: another backend takes its place. */
  readonly optional?: boolean;
  /** True when the first start still has to make it, which takes some seconds. */
  readonly pending?: boolean;
}

export type CreateApp = (config: Config, logger: Logger) => Promise<App>;
