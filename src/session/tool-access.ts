import type { CatalogEntry } from '../catalog/catalog.js';
import type { ToolResult } from '../core/tool.js';

/** What an agent's person is asked before a call under `ask`. */
export interface ApprovalQuestion {
  /** `server.tool`. */
  readonly tool: string;
  /** The arguments as JSON, shortened; for a person to read. */
  readonly argumentsText: string;
  /** Why it is asked: "listed under ask", "the tool says that it may destroy data". */
  readonly reason: string;
}

/** `unavailable`: the client cannot ask its person. */
export type Approval = 'approved' | 'declined' | 'unavailable';

/** A decision of the policy on one tool. */
export interface ToolDecision {
  readonly verdict: 'allow' | 'ask' | 'deny';
  readonly reason: string;
  /** How the operator changes it, for a refusal. */
  readonly howToAllow: string;
}

/** One line of the audit log. */
export interface CallRecord {
  readonly run: string;
  readonly principal: string;
  readonly tool: string;
  /** SHA-256 over the canonical JSON of the arguments, hex, first 16 digits. */
  readonly argumentHash: string;
  readonly ms: number;
  /** Characters of the encoded result. */
  readonly chars: number;
  /** `ok`, or an error code. */
  readonly outcome: string;
}

/** A search hit as code sees it. */
export interface FoundTool {
  readonly name: string;
  readonly signature: string;
  readonly description: string;
}

/** How a call is made, besides its arguments. */
export interface CallOptions {
  readonly signal: AbortSignal;
  /** Longest result that is taken, in bytes of JSON. */
  readonly maxResultBytes: number;
  /** Told whenever the tool reports how far it is. */
  readonly onProgress?: (step: CallProgress) => void;
}

/** How far a tool is, in its own count. */
export interface CallProgress {
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}

/** Everything a run needs to reach downstream tools; app.ts joins it from catalogue, policy, connections and audit. */
export interface ToolAccess {
  resolve(name: string): Promise<CatalogEntry | undefined>;
  nearest(name: string): Promise<readonly string[]>;
  decide(entry: CatalogEntry): ToolDecision;
  /**
   * Positional and keyword arguments as the tool wants them.
   * @throws CodeExecutionError `bad_arguments` in Python's words, with the nearest valid name.
   */
  bind(
    entry: CatalogEntry,
    positional: readonly unknown[],
    keyword: Readonly<Record<string, unknown>>,
  ): Record<string, unknown>;
  /**
   * A result over 1 MiB may come as `large`.
   * @throws CodeExecutionError `tool_unavailable`, `too_large`, `cancelled`.
   */
  call(entry: CatalogEntry, args: Record<string, unknown>, options: CallOptions): Promise<ToolResult>;
  learn(entry: CatalogEntry, value: unknown): void;
  search(query: string, category: string | undefined, limit: number): Promise<readonly FoundTool[]>;
  /** Signature and docstring; undefined when there is no such tool. */
  describe(name: string): Promise<string | undefined>;
  /** Server names, or the tool names of one server, in Python spelling; undefined for an unknown server. */
  names(server: string): Promise<readonly string[] | undefined>;
  record(line: CallRecord): void;
}
