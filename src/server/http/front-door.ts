import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type ListedTool, listedTools } from '../listed-tools.js';
import type { ServerDeps } from '../server-deps.js';
import { BearerTokens } from './bearer-tokens.js';
import { BodyReader } from './body-reader.js';
import { crossOriginHeaders, preflight } from './cross-origin.js';
import { type Exchange, messagesOf } from './exchange.js';
import { failure, RPC } from './failure.js';
import { Gate } from './gate.js';
import type { HttpOptions } from './http-options.js';
import { PrincipalService } from './principal-service.js';
import { RefusalLog } from './refusal-log.js';
import { sendResponse } from './send-response.js';
import { SessionLimit } from './session-limit.js';

/** The one address that is served. */
export const MCP_PATH = '/mcp';
const METHODS = ['GET', 'POST', 'DELETE'];
/** When the server ends, answers that are nearly ready have this long, in milliseconds. */
const LAST_ANSWERS_MS = 1_000;
/** Idle sessions are looked for this often, in milliseconds; more often where they live shorter. */
const SWEEP_MS = 60_000;

/** Decides of every HTTP request whether it comes in and as whom; the rest is the principal's own service. */
export class FrontDoor {
  readonly #deps: ServerDeps;
  readonly #options: HttpOptions;
  readonly #tools: readonly ListedTool[];
  readonly #gate: Gate;
  readonly #tokens: BearerTokens;
  readonly #refusals: RefusalLog;
  readonly #bodies = new BodyReader();
  readonly #sessions: SessionLimit;
  readonly #services = new Map<string, PrincipalService>();
  /** Those that an answer is owed to; streams that only listen are none. */
  readonly #calls = new Set<Promise<void>>();
  readonly #sweeper: NodeJS.Timeout;
  #closing = false;

  constructor(deps: ServerDeps, options: HttpOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#tools = listedTools(deps);
    this.#gate = new Gate(options);
    this.#tokens = new BearerTokens(options.tokens);
    this.#refusals = new RefusalLog(deps.log);
    this.#sessions = new SessionLimit(options.maxSessions);
    const { sessionIdleMs } = options;
    const sweep = (): void => {
      for (const service of this.#services.values()) void service.closeIdle(Date.now() - sessionIdleMs);
    };
    this.#sweeper = setInterval(sweep, Math.min(sessionIdleMs, SWEEP_MS)).unref();
  }

  /** Never rejects. */
  async handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const left = new AbortController();
    const ended = new Promise<void>((resolve) => {
      outgoing.once('close', () => {
        if (!outgoing.writableFinished) left.abort();
        resolve();
      });
    });
    try {
      const answer = this.#refuses(incoming, outgoing) ?? (await this.#serve(incoming, left.signal, ended));
      await sendResponse(answer, outgoing);
    } catch (err) {
      if (left.signal.aborted || incoming.errored) return;
      this.#deps.log.error({ err }, 'fault while answering an HTTP request');
      if (outgoing.headersSent) outgoing.destroy();
      else await sendResponse(failure(500, RPC.internal, 'Internal error'), outgoing).catch(() => undefined);
    }
  }

  /** Lets nobody in any more, gives nearly ready answers a moment, then cancels what runs. */
  async close(): Promise<void> {
    this.#closing = true;
    clearInterval(this.#sweeper);
    const done = new AbortController();
    await Promise.race([
      Promise.all(this.#calls),
      delay(LAST_ANSWERS_MS, undefined, { signal: done.signal }).catch(() => undefined),
    ]);
    done.abort();
    await Promise.all([...this.#services.values()].map((service) => service.close()));
  }

  /** What is decided before anything of the request is read but its headers. */
  #refuses({ headers, url, method = '' }: IncomingMessage, outgoing: ServerResponse): Response | undefined {
    const foreign = this.#gate.refuses(headers.host, headers.origin);
    if (foreign !== undefined) return this.#refuse(403, foreign);
    outgoing.setHeader('x-content-type-options', 'nosniff');
    outgoing.setHeader('cache-control', 'no-store');
    if (url?.split('?')[0] !== MCP_PATH) return failure(404, RPC.refused, `only ${MCP_PATH} is served here`);
    const { origin } = headers;
    if (origin !== undefined && this.#gate.isAllowed(origin)) {
      for (const [name, value] of Object.entries(crossOriginHeaders(origin))) outgoing.setHeader(name, value);
      if (method === 'OPTIONS') return preflight();
    }
    if (!METHODS.includes(method))
      return failure(405, RPC.refused, 'Method not allowed', { allow: METHODS.join(', ') });
    return undefined;
  }

  async #serve(incoming: IncomingMessage, signal: AbortSignal, ended: Promise<void>): Promise<Response> {
    const { authorization } = incoming.headers;
    const principal = this.#tokens.principalOf(authorization);
    if (principal === undefined) {
      const challenge = authorization === undefined ? 'Bearer' : 'Bearer error="invalid_token"';
      return this.#refuse(401, 'a bearer token of http.tokens is required', {
        'www-authenticate': challenge,
      });
    }
    if (this.#closing)
      return failure(503, RPC.refused, 'the server is ending', { connection: 'close', 'retry-after': '5' });
    const body = incoming.method === 'POST' ? await this.#bodies.read(incoming) : { value: undefined };
    if ('refused' in body) return body.refused;
    const exchange = { request: requestOf(incoming, signal), body: body.value, ended };
    this.#remember(exchange);
    return this.#serviceOf(principal).answer(exchange);
  }

  #serviceOf(principal: string): PrincipalService {
    const known = this.#services.get(principal);
    if (known) return known;
    const service = new PrincipalService(this.#deps, principal, {
      tools: this.#tools,
      sessions: this.#sessions,
      maxSessions: this.#options.maxSessionsPerPrincipal,
    });
    this.#services.set(principal, service);
    return service;
  }

  #remember({ body, ended }: Exchange): void {
    if (messagesOf(body).every(isListening)) return;
    this.#calls.add(ended);
    void ended.then(() => this.#calls.delete(ended));
  }

  #refuse(status: number, reason: string, headers: Record<string, string> = {}): Response {
    this.#refusals.note(status, reason);
    return failure(status, RPC.refused, reason, headers);
  }
}

/** The body is read already. */
function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one);
  }
  // The token was for the door: nothing behind it has any use for it.
  headers.delete('authorization');
  return new Request(`http://${incoming.headers.host}${MCP_PATH}`, {
    method: incoming.method ?? 'GET',
    headers,
    signal,
  });
}

function isListening(message: unknown): boolean {
  return (message as { method?: unknown } | null)?.method === 'subscriptions/listen';
}
