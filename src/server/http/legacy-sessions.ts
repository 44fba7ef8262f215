import { randomBytes } from 'node:crypto';
import {
  type CallToolResult,
  isInitializeRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { WaitingConversations } from '../conversation.js';
import { type Exchange, messagesOf } from './exchange.js';
import { failure, RPC } from './failure.js';
import { LegacySession } from './legacy-session.js';
import type { SessionLimit } from './session-limit.js';

/** A session that was used within this time is not closed to make room for another, in milliseconds. */
const KEEP_MS = 60_000;
const RETRY = { 'retry-after': String(KEEP_MS / 1_000) };

export interface LegacySessionsOptions {
  readonly limit: SessionLimit;
  /** The most of this principal. */
  readonly max: number;
  readonly createServer: (waiting: WaitingConversations<CallToolResult>) => McpServer;
}

interface Open {
  readonly session: LegacySession;
  readonly server: McpServer;
}

/** The protocol sessions of one principal. The id of another principal's session is unknown here. */
export class LegacySessions {
  readonly #options: LegacySessionsOptions;
  readonly #open = new Map<string, Open>();
  /** With those that are being opened. */
  #count = 0;

  constructor(options: LegacySessionsOptions) {
    this.#options = options;
  }

  async answer(exchange: Exchange): Promise<Response> {
    const { request, body } = exchange;
    const id = request.headers.get('mcp-session-id');
    if (id !== null) {
      const known = this.#open.get(id);
      return known ? known.session.answer(exchange) : failure(404, RPC.noSession, 'Session not found');
    }
    if (messagesOf(body).some(isInitializeRequest)) return this.#begin(exchange);
    return failure(400, RPC.refused, 'Mcp-Session-Id header is required; a session begins with initialize');
  }

  /** Closes what nobody used since `time` (of `Date.now()`). */
  async closeIdle(time: number): Promise<void> {
    await Promise.all(this.#idle(time).map(({ server }) => server.close()));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ server }) => server.close()));
  }

  async #begin(exchange: Exchange): Promise<Response> {
    const { limit, max } = this.#options;
    if (this.#count >= max || limit.isReached) await this.#makeRoom();
    if (this.#count >= max)
      return failure(
        429,
        RPC.refused,
        `${max} sessions are open, the most for one principal; end some`,
        RETRY,
      );
    if (!limit.take()) return failure(503, RPC.refused, 'the server has no room for another session', RETRY);
    this.#count += 1;
    const { server, transport, session } = this.#create(() => {
      this.#count -= 1;
      limit.giveBack();
    });
    await server.connect(transport);
    const answer = await session.answer(exchange);
    if (transport.sessionId === undefined) await server.close();
    return answer;
  }

  /** Many clients leave without a word. One that comes back to a closed session is told, and begins anew. */
  async #makeRoom(): Promise<void> {
    await this.#idle(Date.now() - KEEP_MS)[0]?.server.close();
  }

  /** Those that nobody used since `time`, the longest idle first. */
  #idle(time: number): Open[] {
    return [...this.#open.values()]
      .map((open) => ({ open, since: open.session.idleSince ?? Number.POSITIVE_INFINITY }))
      .filter(({ since }) => since < time)
      .sort((a, b) => a.since - b.since)
      .map(({ open }) => open);
  }

  #create(ended: () => void): Open & { readonly transport: WebStandardStreamableHTTPServerTransport } {
    const waiting = new WaitingConversations<CallToolResult>();
    const mcp = this.#options.createServer(waiting);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomBytes(32).toString('base64url'),
      onsessioninitialized: (id) => void this.#open.set(id, { session, server: mcp }),
    });
    const session = new LegacySession(transport);
    const { server } = mcp;
    const before = server.onclose;
    server.onclose = () => {
      before?.call(server);
      waiting.cancelAll();
      if (transport.sessionId !== undefined) this.#open.delete(transport.sessionId);
      ended();
    };
    return { server: mcp, transport, session };
  }
}
