import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type RequestId,
  type WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { type Exchange, messagesOf } from './exchange.js';

/** A protocol session of the 2025 era: one server and its transport, for as long as the client comes back. */
export class LegacySession {
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  /** Requests that came alone, and so have a stream of their own. */
  readonly #alone = new Set<RequestId>();
  #exchanges = 0;
  #usedAt = Date.now();

  constructor(transport: WebStandardStreamableHTTPServerTransport) {
    this.#transport = transport;
  }

  /** When its last exchange ended (of `Date.now()`); undefined while one goes on, also if the client only listens. */
  get idleSince(): number | undefined {
    return this.#exchanges === 0 ? this.#usedAt : undefined;
  }

  async answer({ request, body, ended }: Exchange): Promise<Response> {
    const messages = messagesOf(body);
    const ids = messages.filter(isJSONRPCRequest).map(({ id }) => id);
    const alone = messages.length === 1 ? ids : [];
    this.#exchanges += 1;
    void ended.then(() => {
      this.#exchanges -= 1;
      this.#usedAt = Date.now();
      for (const id of alone) this.#alone.delete(id);
    });
    const answer = await this.#transport.handleRequest(request, { parsedBody: body });
    if (!answer.ok) return answer;
    for (const id of alone) this.#alone.add(id);
    for (const id of messages.flatMap(cancelledBy)) this.#endStream(id);
    this.#cancelWhenLeft(request.signal, ids);
    return answer;
  }

  /**
   * The 2025 revisions let a client come back for the answer of a stream that broke, if the server keeps events. This one
   * does not, so nobody can get the answer any more, and the run would hold an interpreter for nobody.
   */
  #cancelWhenLeft(signal: AbortSignal, ids: readonly RequestId[]): void {
    const cancel = (): void => {
      for (const requestId of ids) {
        const params = { requestId, reason: 'the client left' };
        this.#transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
      }
    };
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
  }

  /** A request that is cancelled gets no answer, and its stream would stay open as long as the client lets it. */
  #endStream(id: RequestId): void {
    if (this.#alone.has(id)) this.#transport.closeSSEStream(id);
  }
}

function cancelledBy(message: unknown): RequestId[] {
  if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return [];
  const id = message.params?.requestId;
  return typeof id === 'string' || typeof id === 'number' ? [id] : [];
}
