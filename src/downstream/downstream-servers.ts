import type { DownstreamServer } from '../core/downstream-server.js';
import { CodeExecutionError } from '../core/errors.js';
import type { Logger } from '../core/logger.js';
import { nearest } from '../core/nearest.js';
import { sleep } from '../core/sleep.js';
import type { SourceProblem, ToolResult } from '../core/tool.js';
import { OrphanGuard } from './child-process.js';
import { DefinitionCache } from './definition-cache.js';
import type { CallOptions, Downstream, ServerTools } from './downstream.js';
import type { Offer } from './offer.js';
import { ServerConnection } from './server-connection.js';
import { StartSlots } from './start-slots.js';

/** `npx` may download a server before it starts it; who searches meanwhile waits for his own deadline only. */
const CONNECT_TIMEOUT_MS = 60_000;

export interface DownstreamOptions {
  /** In the order of the configuration, names unique. */
  readonly servers: readonly DownstreamServer[];
  /** Folder for the cache of definitions; made when it is needed, nothing else may be in it. */
  readonly cacheFolder: string;
  readonly log: Logger;
  /** Version of this program, told to servers. */
  readonly version: string;
  /** For the handshake of a server and for each page of its list, in milliseconds. Default 60,000. */
  readonly connectTimeoutMs?: number;
}

/** The servers of the configuration. Nothing is started before the first `discover` or `call`. */
export class DownstreamServers implements Downstream {
  readonly servers: readonly string[];
  readonly #connections: ReadonlyMap<string, ServerConnection>;
  readonly #cache: DefinitionCache;
  readonly #guard = new OrphanGuard();
  readonly #listeners: ((tools: ServerTools) => void)[] = [];
  #cacheRead: Promise<unknown> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: DownstreamOptions) {
    this.servers = options.servers.map(({ name }) => name);
    this.#cache = new DefinitionCache(options.cacheFolder);
    const parts = {
      guard: this.#guard,
      cache: this.#cache,
      slots: new StartSlots(),
      log: options.log,
      version: options.version,
      connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      onOffer: (server: DownstreamServer, offer: Offer) => this.#tell(toolsOf(server, offer)),
    };
    this.#connections = new Map(
      options.servers.map((server) => [server.name, new ServerConnection(server, parts)]),
    );
  }

  async discover(
    deadlineMs: number,
    { live = false }: { readonly live?: boolean } = {},
  ): Promise<readonly SourceProblem[]> {
    const begin = performance.now();
    const connections = [...this.#connections.values()];
    this.#cacheRead ??= Promise.all(connections.map((connection) => connection.listing.readCache()));
    await this.#cacheRead;
    const listings = connections.map((connection) => connection.listing.ensure(live));
    await Promise.race([Promise.all(listings), sleep(deadlineMs - (performance.now() - begin))]);
    const waitedMs = performance.now() - begin;
    return connections
      .map((connection) => connection.listing.problem(waitedMs))
      .filter((problem) => problem !== undefined);
  }

  onTools(listener: (tools: ServerTools) => void): void {
    this.#listeners.push(listener);
    for (const { server, listing } of this.#connections.values()) {
      if (listing.offer) listener(toolsOf(server, listing.offer));
    }
  }

  async call(
    server: string,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<ToolResult> {
    const connection = this.#connections.get(server);
    if (!connection) {
      const near = nearest(server, this.servers);
      const hint = near
        ? `did you mean "${near}"?`
        : `one of: ${this.servers.slice(0, 20).join(', ') || 'none'}`;
      throw new CodeExecutionError('tool_unavailable', `there is no server "${server}"`, hint);
    }
    if (this.#closing) throw new CodeExecutionError('tool_unavailable', 'the servers are shut down');
    return connection.call(tool, args, options);
  }

  /** Ends all connections and processes, in parallel; at most some 2.5 s. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= (async () => {
      await Promise.all([...this.#connections.values()].map((connection) => connection.close()));
      this.#guard.close();
      await this.#cache.close();
    })();
    return this.#closing;
  }

  #tell(tools: ServerTools): void {
    for (const listener of this.#listeners) listener(tools);
  }
}

function toolsOf({ name, category }: DownstreamServer, { tools, description }: Offer): ServerTools {
  const source = { server: name, kind: 'server' as const, category };
  return { source: { ...source, ...(description === undefined ? {} : { description }) }, tools };
}
