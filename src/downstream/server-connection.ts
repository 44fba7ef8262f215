import { ProtocolError } from '@modelcontextprotocol/client';
import type { DownstreamServer } from '../core/downstream-server.js';
import { CodeExecutionError } from '../core/errors.js';
import type { Logger } from '../core/logger.js';
import type { ToolResult } from '../core/tool.js';
import type { CallOptions } from './downstream.js';
import { Link } from './link.js';
import { cancelled, GO_ON, ServerLink, type ServerLinkParts } from './server-link.js';
import { Unreadable } from './stdio-transport.js';
import { ToolListing, type ToolListingParts } from './tool-listing.js';
import { ASK_LESS, unwrap } from './unwrap.js';

const DEFAULT_RESULT_BYTES = 16 * 1024 * 1024;
/** Of the words with which a server refuses a call. */
const MAX_REFUSAL_CHARS = 4_000;

export type ConnectionParts = ServerLinkParts & Omit<ToolListingParts, 'pageTimeoutMs'>;

type Arguments = Readonly<Record<string, unknown>>;

/** One configured server: what it offers, and calls of its tools. */
export class ServerConnection {
  readonly server: DownstreamServer;
  readonly listing: ToolListing;
  readonly #link: ServerLink;

  constructor(server: DownstreamServer, parts: ConnectionParts) {
    this.server = server;
    const log = withServer(parts.log, server.name);
    this.#link = new ServerLink(
      server,
      { ...parts, log },
      {
        opened: () => this.listing.opened(),
        failed: (message) => this.listing.failed(message),
        listChanged: () => this.listing.changed(),
      },
    );
    this.listing = new ToolListing(server, this.#link, {
      ...parts,
      log,
      pageTimeoutMs: parts.connectTimeoutMs,
    });
  }

  /** @throws CodeExecutionError as {@link Downstream.call} says */
  async call(tool: string, args: Arguments, options: CallOptions = {}): Promise<ToolResult> {
    const until = performance.now() + (options.timeoutMs ?? this.server.timeoutMs);
    const first = await this.#callOnce(tool, args, options, until);
    if (first !== LOST_SESSION) return first;
    const second = await this.#callOnce(tool, args, options, until);
    if (second !== LOST_SESSION) return second;
    throw this.#link.unavailable('forgets its sessions');
  }

  /** Ends the connection and its process. Idempotent. */
  async close(): Promise<void> {
    await Promise.all([this.listing.close(), this.#link.close()]);
  }

  async #callOnce(
    tool: string,
    args: Arguments,
    options: CallOptions,
    until: number,
  ): Promise<ToolResult | typeof LOST_SESSION> {
    const link = await this.#link.reach(until, options.signal);
    let result: unknown;
    try {
      const definition = this.listing.offer?.tools.find(({ name }) => name === tool);
      result = await link.callTool(tool, args, definition, {
        timeoutMs: Math.max(1, until - performance.now()),
        signal: options.signal,
        onProgress: options.onProgress,
      });
    } catch (error) {
      if (options.signal?.aborted) throw cancelled();
      if (error instanceof ProtocolError) return this.#refusal(error);
      if (!Link.survives(error)) this.#link.drop(link);
      if (Link.lostSession(error)) return LOST_SESSION;
      throw this.#link.unavailable(link.describe(error));
    }
    this.#link.succeeded();
    return unwrap(result, options.maxResultBytes ?? DEFAULT_RESULT_BYTES, options.acceptLarge === true);
  }

  /** The server answered the call with an error of the protocol: its own words, like those of a tool that fails. */
  #refusal({ data, message }: ProtocolError): ToolResult {
    if (!(data instanceof Unreadable)) {
      return { isError: true, content: [{ type: 'text', text: message.slice(0, MAX_REFUSAL_CHARS) }] };
    }
    const hint = data.code === 'too_large' ? ASK_LESS : GO_ON;
    throw new CodeExecutionError(data.code, `${data.message} (server "${this.server.name}")`, hint);
  }
}

/** The server has not looked at the call, so it may be made again. */
const LOST_SESSION = Symbol('lost session');

function withServer(log: Logger, server: string): Logger {
  return {
    debug: (fields, message) => log.debug({ server, ...fields }, message),
    info: (fields, message) => log.info({ server, ...fields }, message),
    warn: (fields, message) => log.warn({ server, ...fields }, message),
    error: (fields, message) => log.error({ server, ...fields }, message),
  };
}
