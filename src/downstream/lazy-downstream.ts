import { CodeExecutionError } from '../core/errors.js';
import type { SourceProblem, ToolResult } from '../core/tool.js';
import type { CallOptions, Downstream, ServerTools } from './downstream.js';
import type { DownstreamOptions, DownstreamServers } from './downstream-servers.js';

/**
 * The downstream servers, their code loaded with the first question: the MCP client takes 100 ms to load, which the
 * answer to `initialize` must not wait for.
 */
export class LazyDownstream implements Downstream {
  readonly servers: readonly string[];
  readonly #options: DownstreamOptions;
  readonly #listeners: ((tools: ServerTools) => void)[] = [];
  #loaded: Promise<DownstreamServers> | undefined;
  #closed = false;

  constructor(options: DownstreamOptions) {
    this.#options = options;
    this.servers = options.servers.map(({ name }) => name);
  }

  async discover(
    deadlineMs: number,
    options?: { readonly live?: boolean },
  ): Promise<readonly SourceProblem[]> {
    if (this.servers.length === 0 || this.#closed) return [];
    return (await this.#load()).discover(deadlineMs, options);
  }

  onTools(listener: (tools: ServerTools) => void): void {
    if (this.#loaded) void this.#loaded.then((servers) => servers.onTools(listener));
    else this.#listeners.push(listener);
  }

  async call(
    server: string,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<ToolResult> {
    if (this.#closed) throw new CodeExecutionError('tool_unavailable', 'the servers are shut down');
    return (await this.#load()).call(server, tool, args, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await (await this.#loaded)?.[Symbol.asyncDispose]();
  }

  #load(): Promise<DownstreamServers> {
    this.#loaded ??= import('./downstream-servers.js').then(({ DownstreamServers }) => {
      const servers = new DownstreamServers(this.#options);
      for (const listener of this.#listeners) servers.onTools(listener);
      return servers;
    });
    return this.#loaded;
  }
}
