import type { Catalog, CatalogEntry } from '../catalog/catalog.js';
import type { Privacy } from '../privacy/privacy.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { Runner, RunProgress } from '../session/runner.js';
import type { SkillAccess } from '../session/skill-access.js';
import type { Approval, ApprovalQuestion, ToolDecision } from '../session/tool-access.js';
import type { Stats } from '../stats/stats.js';
import type { Workspace } from '../workspace/workspace.js';

/** Limits of the configuration that tools show and enforce. */
export interface ServerLimits {
  /** Wall-clock limit of a run that names none, in seconds. */
  readonly timeoutSeconds: number;
  /** Largest `timeout_seconds` that a call may ask for. */
  readonly maxTimeoutSeconds: number;
  /** Memory of a run that names none, in MiB. */
  readonly memoryMb: number;
  /** Largest `memory_mb` that a call may ask for. */
  readonly maxMemoryMb: number;
  /** Characters of result and output together that an answer shows when the call names no number. */
  readonly maxOutputChars: number;
}

/** The operator's log (pino fits). Never seen by the model. */
export interface ServerLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Everything the server needs from the rest of the program; app.ts fills it. One for all connections. */
export interface ServerDeps {
  /** Version of this package. */
  readonly version: string;
  readonly runner: Runner;
  readonly workspace: (principal: string) => Promise<Workspace>;
  readonly sandbox: Pick<Sandbox, 'info' | 'pool'>;
  /** The counters of a principal. */
  readonly statsOf: (principal: string) => Stats;
  /** The tools that code can call. */
  readonly catalog: Catalog;
  /** False when there is nothing to find: no servers and no registry are configured. */
  readonly hasTools: boolean;
  /** What the policy says to a call of a tool. */
  readonly decide: (entry: CatalogEntry) => ToolDecision;
  /** Saved code, by principal. Absent: none is kept, and the tools for it are not there. */
  readonly skills?: SkillAccess;
  readonly limits: ServerLimits;
  /** True when `path` (`/` between the parts) matches the glob `pattern`. */
  readonly matchesGlob: (pattern: string, path: string) => boolean;
  readonly log: ServerLog;
  /**
   * Its filter sees the facts of every answer (strings, arrays, plain objects) before they are shortened, every error,
   * progress line and resource; if it throws, nothing is shown. Absent: privacy is off.
   */
  readonly privacy?: Privacy;
}

/** What a tool's handler gets besides its arguments. */
export interface ToolContext {
  readonly principal: string;
  /** Aborted when the client cancels the call or goes away. */
  readonly signal: AbortSignal;
  /** Tells the client how far the call is, if it asked to be told. */
  readonly progress: (progress: RunProgress) => void;
  /** Asks the person behind the client; absent where nobody can be asked. */
  readonly approve?: (question: ApprovalQuestion) => Promise<Approval>;
  readonly deps: ServerDeps;
}
