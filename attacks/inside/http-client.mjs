// @ts-check
import { request as httpRequest } from 'node:http';

/** @typedef {{ status: number, headers: Record<string, string>, body: Buffer, ms: number }} Response */

const PROTOCOL = '2025-06-18';

/**
 * One HTTP request as it is written, `Host` included.
 * @param {number} port
 * @param {{ method: string, path: string, headers: Record<string, string>, body?: string | Buffer, signal?: AbortSignal, timeoutMs?: number }} options
 * @returns {Promise<Response>}
 */
export function send(port, { method, path, headers, body, signal, timeoutMs = 60_000 }) {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers,
        agent: false,
        setHost: !hasHost(headers),
        ...(signal ? { signal } : {}),
      },
      (incoming) => {
        /** @type {Buffer[]} */
        const chunks = [];
        incoming.on('data', (chunk) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: flat(incoming.headers),
            body: Buffer.concat(chunks),
            ms: performance.now() - started,
          }),
        );
      },
    );
    outgoing.setTimeout(timeoutMs, () =>
      outgoing.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)),
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** A client of MCP over HTTP for one principal. */
export class HttpClient {
  #next = 1;
  /** @type {string | undefined} */
  #session;
  /** @type {(params: any) => unknown} Over HTTP no form can be answered in the same exchange here. */
  onForm = () => ({ action: 'decline' });
  lastFormAnswer = undefined;

  /** @param {number} port @param {string} token */
  constructor(port, token) {
    this.port = port;
    this.token = token;
  }

  async initialize() {
    const clientInfo = { name: 'attack-cases', version: '1' };
    await this.request('initialize', { protocolVersion: PROTOCOL, capabilities: {}, clientInfo }, 30_000);
    await this.#post({ jsonrpc: '2.0', method: 'notifications/initialized' }, 30_000);
  }

  /**
   * @param {string} method @param {unknown} params @param {number} timeoutMs @param {AbortSignal} [signal]
   * @returns {Promise<import('./stdio-client.mjs').Reply>}
   */
  async request(method, params, timeoutMs, signal) {
    const id = this.#next++;
    const { status, headers, body, ms } = await this.#post(
      { jsonrpc: '2.0', id, method, params },
      timeoutMs,
      signal,
    );
    this.#session ??= headers['mcp-session-id'];
    const wire = headers['content-type']?.includes('event-stream') ? eventOf(body, id) : body;
    if (wire === undefined)
      throw new Error(`HTTP ${status} without an answer: ${body.toString('utf8').slice(0, 300)}`);
    return { message: JSON.parse(wire.toString('utf8')), wire, ms };
  }

  async close() {
    if (this.#session === undefined) return;
    await send(this.port, { method: 'DELETE', path: '/mcp', headers: this.#headers() }).catch(
      () => undefined,
    );
    this.#session = undefined;
  }

  /** @param {unknown} message @param {number} timeoutMs @param {AbortSignal} [signal] */
  #post(message, timeoutMs, signal) {
    const body = Buffer.from(JSON.stringify(message));
    const headers = { ...this.#headers(), 'content-length': String(body.length) };
    return send(this.port, {
      method: 'POST',
      path: '/mcp',
      headers,
      body,
      timeoutMs,
      ...(signal ? { signal } : {}),
    });
  }

  #headers() {
    return {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${this.token}`,
      ...(this.#session === undefined
        ? {}
        : { 'mcp-session-id': this.#session, 'mcp-protocol-version': PROTOCOL }),
    };
  }
}

/** The event that answers request `id`. @param {Buffer} stream @param {number} id */
function eventOf(stream, id) {
  for (const event of stream.toString('utf8').split(/\n\n|\r\n\r\n/)) {
    const data = event
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).trimStart())
      .join('\n');
    if (data !== '' && JSON.parse(data).id === id) return Buffer.from(data);
  }
  return undefined;
}

/** @param {Record<string, string>} headers */
function hasHost(headers) {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'host');
}

/** @param {import('node:http').IncomingHttpHeaders} headers @returns {Record<string, string>} */
function flat(headers) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}
