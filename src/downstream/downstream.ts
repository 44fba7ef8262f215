import type { SourceProblem, ToolDefinition, ToolResult, ToolSource } from '../core/tool.js';

/** Definitions of one server, complete. */
export interface ServerTools {
  readonly source: ToolSource;
  readonly tools: readonly ToolDefinition[];
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds; default: the server's own `timeout`. */
  readonly timeoutMs?: number;
  /** Longest result taken, in bytes of JSON. Default 16 MiB; no more than 50 MiB come over stdio. */
  readonly maxResultBytes?: number;
  /**
   * Results over 1 MiB may come as `large`. Otherwise they are parsed, which holds up the event loop for some 5 ms a MiB.
   */
  readonly acceptLarge?: boolean;
  readonly onProgress?: (step: { done: number; total?: number; message?: string }) => void;
}

/** The downstream MCP servers of the configuration: what they offer, and calls to them. Holds sockets, no search. */
export interface Downstream extends AsyncDisposable {
  /** Names of all configured servers that are not disabled, in the order of the configuration. */
  readonly servers: readonly string[];
  /**
   * Makes sure that definitions are known: from the disk cache at once where it has them (a live listing then goes on in
   * the background), else by connecting, all servers in parallel, until `deadlineMs`. Never throws for a server.
   * `live`: waits for what the servers say now, also where the cache has an answer or a server has failed before.
   */
  discover(deadlineMs: number, options?: { readonly live?: boolean }): Promise<readonly SourceProblem[]>;
  /** Called with the whole list of a server whenever it is learned or changed; at once for what is known already. */
  onTools(listener: (tools: ServerTools) => void): void;
  /**
   * @throws CodeExecutionError `tool_unavailable` (not reachable, died, timed out), `too_large` (the result) or
   * `cancelled`. A tool that reports failure is a result with `isError`.
   */
  call(
    server: string,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<ToolResult>;
}
