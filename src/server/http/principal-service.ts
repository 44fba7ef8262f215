import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';
import { WaitingConversations } from '../conversation.js';
import type { ListedTool } from '../listed-tools.js';
import { createMcpServer } from '../server.js';
import type { ServerDeps } from '../server-deps.js';
import type { Exchange } from './exchange.js';
import { failure, RPC } from './failure.js';
import { LegacySessions } from './legacy-sessions.js';
import type { SessionLimit } from './session-limit.js';

/** Requests and streams of one principal at a time. */
const MAX_EXCHANGES = 256;
/** Streams of one principal that tell of changes, in the modern era. */
const MAX_SUBSCRIPTIONS = 64;
const MAX_REASON_CHARS = 300;

export interface PrincipalServiceOptions {
  readonly tools: readonly ListedTool[];
  readonly sessions: SessionLimit;
  readonly maxSessions: number;
}

/**
 * MCP for one principal in both eras. A modern request has a server of its own, so that what must outlive it (calls that
 * wait for a person, subscriptions) is kept here, where no other principal comes.
 */
export class PrincipalService {
  readonly #modern: McpHttpHandler;
  readonly #legacy: LegacySessions;
  readonly #waiting = new WaitingConversations<CallToolResult>();
  readonly #stopListening: () => void;
  #exchanges = 0;

  constructor(deps: ServerDeps, principal: string, options: PrincipalServiceOptions) {
    // The reason may quote a request.
    const onerror = ({ message }: Error): void =>
      deps.log.warn({ principal, reason: message.slice(0, MAX_REASON_CHARS) }, 'an HTTP request failed');
    const { tools } = options;
    const connection = { waiting: this.#waiting, lasts: false, tools };
    this.#modern = createMcpHandler(() => createMcpServer(deps, principal, connection), {
      legacy: 'reject',
      // A stream from the start: its comments keep alive what stands between us and a client that waits for a long run.
      responseMode: 'sse',
      maxSubscriptions: MAX_SUBSCRIPTIONS,
      onerror,
    });
    this.#legacy = new LegacySessions({
      limit: options.sessions,
      max: options.maxSessions,
      createServer: (waiting) => createMcpServer(deps, principal, { waiting, tools }),
    });
    this.#stopListening =
      deps.skills?.onChange(principal, () => this.#modern.notify.resourcesChanged()) ?? (() => undefined);
  }

  async answer(exchange: Exchange): Promise<Response> {
    if (this.#exchanges >= MAX_EXCHANGES)
      return failure(429, RPC.refused, `${MAX_EXCHANGES} requests are open, the most for one principal`, {
        'retry-after': '5',
      });
    this.#exchanges += 1;
    void exchange.ended.then(() => {
      this.#exchanges -= 1;
    });
    const { request, body } = exchange;
    if (await isLegacyRequest(request, body)) return this.#legacy.answer(exchange);
    return this.#modern.fetch(request, { parsedBody: body });
  }

  /** Closes protocol sessions that nobody used since `time` (of `Date.now()`). */
  closeIdle(time: number): Promise<void> {
    return this.#legacy.closeIdle(time);
  }

  /** Cancels what runs. */
  async close(): Promise<void> {
    this.#stopListening();
    this.#waiting.cancelAll();
    await Promise.all([this.#legacy.close(), this.#modern.close()]);
  }
}
