import { type IncomingHttpHeaders, request } from 'node:http';
import { Client, type ElicitResult, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll } from 'vitest';
import {
  type HttpProcess,
  type HttpStartOptions,
  startHttpServer as start,
} from '../../scripts/support/http-process.mjs';
import { type Answer, call } from '../../scripts/support/server-process.mjs';

export type { Answer, HttpProcess };

const started: HttpProcess[] = [];
afterAll(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop()));
});

/** Starts the built server over HTTP with the embedded sandbox; it ends with the test file. */
export async function startHttpServer(options: HttpStartOptions = {}): Promise<HttpProcess> {
  const server = await start({ ...options, args: ['--backend', 'wasm', ...(options.args ?? [])] });
  started.push(server);
  return server;
}

/** A real client of a principal. */
export interface HttpClient {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  call(name: string, args?: Record<string, unknown>): Promise<Answer>;
  /** Ends the session, if there is one, and the client. */
  leave(): Promise<void>;
}

/** Connects the real client; the era is negotiated as clients do. */
export async function connectHttp(
  url: string,
  token: string,
  era: 'legacy' | 'auto' = 'auto',
  person?: (question: string) => ElicitResult | Promise<ElicitResult>,
): Promise<HttpClient> {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  const client = new Client(
    { name: 'code-execution-mcp-project', version: '1' },
    {
      versionNegotiation: { mode: era },
      ...(person ? { capabilities: { elicitation: { form: {} } } } : {}),
    },
  );
  if (person) client.setRequestHandler('elicitation/create', ({ params }) => person(params.message));
  await client.connect(transport);
  return {
    client,
    transport,
    call: (name, args = {}) => call(client, name, args, {}),
    async leave() {
      await transport.terminateSession();
      await client.close();
    },
  };
}

/** A request as a program without any library sends it. */
export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly token?: string;
  readonly headers?: Record<string, string>;
  /** Text as it is; anything else as JSON. */
  readonly body?: unknown;
  /** Called with all that has come of the answer so far; true: the connection is cut. */
  readonly leave?: (text: string) => boolean;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The JSON of the body, or of the last event of a stream. */
  readonly json: { readonly error?: { code: number; message: string }; readonly result?: unknown };
}

/** Sends one request over a connection of its own; resolves when the answer ends or the connection is cut. */
export function sendRaw(url: string, options: RawRequest): Promise<RawAnswer> {
  const { method = 'POST', path, token, headers = {}, body, leave } = options;
  const content = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const target = new URL(path ?? '', url);
    const outgoing = request(target, {
      method,
      agent: false,
      headers: {
        accept: 'application/json, text/event-stream',
        ...(content === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (answer) => {
      let text = '';
      const done = (): void =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, json: jsonOf(text) });
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        text += chunk;
        if (leave?.(text)) answer.destroy();
      });
      answer.on('close', done);
      answer.on('error', () => undefined);
    });
    outgoing.end(content);
  });
}

/** A request of the modern era as it stands on the wire. */
export function modern(method: string, params: Record<string, unknown> = {}): RawRequest {
  return {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
    },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          progressToken: 'p',
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  };
}

/** `initialize` of the 2025 era. */
export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  },
};

/** A new session of the 2025 era: its id, as it stands in the header. */
export async function openSession(url: string, token: string): Promise<string> {
  const { status, headers, text } = await sendRaw(url, { token, body: INITIALIZE });
  const id = headers['mcp-session-id'];
  if (status !== 200 || typeof id !== 'string') throw new Error(`no session: ${status} ${text}`);
  await sendRaw(url, {
    token,
    headers: { 'mcp-session-id': id },
    body: { jsonrpc: '2.0', method: 'notifications/initialized' },
  });
  return id;
}

function jsonOf(text: string): RawAnswer['json'] {
  const last = text.startsWith('{')
    ? text
    : (text
        .match(/^data: (.*)$/gm)
        ?.at(-1)
        ?.slice(6) ?? '{}');
  try {
    return JSON.parse(last) as RawAnswer['json'];
  } catch {
    return {};
  }
}
