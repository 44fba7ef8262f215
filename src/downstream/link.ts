import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { abortable } from '../core/abortable.js';
import type { DownstreamServer, Launch, ProtocolChoice } from '../core/downstream-server.js';
import type { Logger } from '../core/logger.js';
import { sleep } from '../core/sleep.js';
import type { ToolDefinition } from '../core/tool.js';
import type { OrphanGuard } from './child-process.js';
import { describeFailure, isTimeout } from './failure.js';
import { sse, streamableHttp } from './http-transport.js';
import { keepOrder } from './message-order.js';
import { StdioTransport } from './stdio-transport.js';

const METHOD_NOT_FOUND = -32_601;
/** Of the instructions, which are the server's own words about itself. */
const MAX_DESCRIPTION = 500;
/** The revision without the `initialize` handshake. */
const MODERN_REVISION = '2026-07-28';
/** How long a server on stdio may be silent before it is asked in the old way, in milliseconds. */
const PROBE_MS = 3_500;
/** How long a server may take to say goodbye, in milliseconds. */
const FAREWELL_MS = 1_000;

export interface LinkOptions {
  readonly server: DownstreamServer;
  readonly guard: OrphanGuard;
  readonly log: Logger;
  /** Our own, told to the server. */
  readonly version: string;
  /** For the whole handshake, in milliseconds. */
  readonly timeoutMs: number;
  /** Gives up. */
  readonly signal: AbortSignal;
  readonly onListChanged: () => void;
  /** Gets what is still to be waited for when everything is closed. */
  readonly track: (closing: Promise<void>) => void;
}

/** A server that could not be reached. `message` says why, for a model; see {@link describeFailure}. */
export class LinkFailure extends Error {}

export interface RequestOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((step: { done: number; total?: number; message?: string }) => void) | undefined;
}

/** An open connection to a server, after the handshake. */
export class Link {
  readonly #client: Client;
  readonly #transport: Transport;
  readonly #mirrors: boolean;
  readonly openedAt = performance.now();
  /** Resolves when the connection is over, whoever ended it. */
  readonly ended: Promise<void>;
  alive = true;
  #closing: Promise<void> | undefined;

  private constructor(client: Client, transport: Transport, kind: Launch['kind']) {
    this.#client = client;
    this.#transport = transport;
    // Arguments that a schema marks go into headers too, for gateways on the way; over stdio there are none.
    this.#mirrors = kind === 'http' && client.getProtocolEra() === 'modern';
    this.ended = new Promise((resolve) => {
      client.onclose = () => {
        this.alive = false;
        resolve();
      };
    });
  }

  /** @throws LinkFailure */
  static async open(options: LinkOptions): Promise<Link> {
    const { launch } = options.server;
    if (launch.kind === 'refused') throw new LinkFailure(launch.message);
    const protocol = launch.kind === 'sse' ? 'legacy' : launch.protocol;
    try {
      return await Link.#try(options, protocol);
    } catch (failure) {
      // Some servers end at the first request they do not know: then they are asked in the old way.
      const died = launch.kind === 'stdio' && protocol === 'auto' && failure instanceof EndedEarly;
      if (!died) throw failure;
      return Link.#try(options, 'legacy');
    }
  }

  static async #try(options: LinkOptions, protocol: ProtocolChoice): Promise<Link> {
    const { server, timeoutMs, signal } = options;
    if (signal.aborted) throw new LinkFailure('is shut down');
    const transport = transportFor(options);
    keepOrder(transport);
    const client = newClient(options, protocol);
    const deadline = AbortSignal.any([AbortSignal.timeout(timeoutMs), signal]);
    try {
      await abortable(
        // A little more for the SDK, so that our own deadline tells the time.
        client.connect(transport, { timeout: timeoutMs + 1_000, signal: deadline }),
        deadline,
        () => new Error('given up'),
      );
      const link = new Link(client, transport, server.launch.kind);
      // It may have ended between the handshake and the line above.
      if (client.transport === undefined) throw new Error('closed');
      return link;
    } catch (error) {
      // Before we close it: an end of our own making is none of the server's.
      const ending = transport instanceof StdioTransport ? transport.ending : undefined;
      // Ending a process that hangs takes two seconds, for which nobody waits here.
      options.track(transport.close().catch(() => undefined));
      if (ending !== undefined) throw new EndedEarly(describeFailure(error, ending));
      throw new LinkFailure(
        deadline.aborted || isTimeout(error)
          ? `did not answer within ${timeoutMs / 1000} s`
          : describeFailure(error),
      );
    }
  }

  /** What the server says of itself. */
  get description(): string | undefined {
    return this.#client.getInstructions()?.slice(0, MAX_DESCRIPTION);
  }

  /** One page of the list; an empty one if the server has no tools at all. */
  async listPage(cursor: string | undefined, timeoutMs: number): Promise<unknown> {
    const params = cursor === undefined ? {} : { cursor };
    try {
      return await this.#client.request({ method: 'tools/list', params }, AS_IT_IS, { timeout: timeoutMs });
    } catch (error) {
      if (error instanceof ProtocolError && error.code === METHOD_NOT_FOUND) return { tools: [] };
      throw error;
    }
  }

  /** The protocol's result as it came. @throws the errors of the SDK */
  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    definition: ToolDefinition | undefined,
    options: RequestOptions,
  ): Promise<unknown> {
    const { onProgress } = options;
    const params = { name, arguments: { ...args } };
    const requestOptions = {
      timeout: options.timeoutMs,
      ...(options.signal ? { signal: options.signal } : {}),
      ...(onProgress ? { onprogress: (step: SdkProgress) => onProgress(progressOf(step)) } : {}),
    };
    if (this.#mirrors && definition && JSON.stringify(definition.inputSchema).includes('"x-mcp-header"')) {
      const { inputSchema } = definition;
      // The SDK alone knows how to mirror; it only does so on its own call, which is stricter about results.
      const toolDefinition = { name, inputSchema: { type: 'object' as const, ...Object(inputSchema) } };
      return this.#client.callTool(params, { ...requestOptions, toolDefinition });
    }
    return this.#client.request({ method: 'tools/call', params }, AS_IT_IS, requestOptions);
  }

  /** Why a request failed, in words for a model. */
  describe(error: unknown): string {
    const ending = this.#transport instanceof StdioTransport ? this.#transport.ending : undefined;
    return describeFailure(error, ending);
  }

  /** True when the server has forgotten our session, as after a restart: it has not looked at the request. */
  static lostSession(error: unknown): boolean {
    return error instanceof SdkHttpError && error.status === 404;
  }

  /** Whether the connection may still be of use after this error. */
  static survives(error: unknown): boolean {
    if (error instanceof ProtocolError) return true;
    if (error instanceof SdkHttpError) return error.status !== 404;
    return error instanceof SdkError && error.code !== SdkErrorCode.ConnectionClosed;
  }

  /** Idempotent. */
  close(): Promise<void> {
    this.alive = false;
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if ('terminateSession' in this.#transport) {
      const farewell = (this.#transport as StreamableHTTPClientTransport).terminateSession();
      await Promise.race([farewell.catch(() => undefined), sleep(FAREWELL_MS)]);
    }
    await this.#client.close().catch(() => undefined);
    await this.#transport.close().catch(() => undefined);
  }
}

class EndedEarly extends LinkFailure {}

interface SdkProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

function progressOf({ progress, total, message }: SdkProgress): {
  done: number;
  total?: number;
  message?: string;
} {
  return {
    done: progress,
    ...(total === undefined ? {} : { total }),
    ...(message === undefined ? {} : { message }),
  };
}

function transportFor({ server, guard, log }: LinkOptions): Transport {
  const { launch } = server;
  switch (launch.kind) {
    case 'stdio':
      return new StdioTransport({ command: launch, guard, log, mask: (text) => masked(text, server) });
    case 'http':
      return streamableHttp(launch.url, launch.headers);
    case 'sse':
      return sse(launch.url, launch.headers);
    case 'refused':
      throw new LinkFailure(launch.message);
  }
}

function newClient(
  { server, version, timeoutMs, onListChanged, log }: LinkOptions,
  protocol: ProtocolChoice,
): Client {
  const client = new Client(
    { name: 'code-execution-mcp', version },
    {
      capabilities: {},
      // Output schemas that do not fit, or do not compile, must not cost the result.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
      versionNegotiation: {
        mode: protocol === 'modern' ? { pin: MODERN_REVISION } : protocol,
        // On stdio, silence means a server of the old era; there must be time left to ask it in the old way.
        ...(server.launch.kind === 'stdio'
          ? { probe: { timeoutMs: Math.min(PROBE_MS, timeoutMs / 3) } }
          : {}),
      },
      listChanged: { tools: { autoRefresh: false, debounceMs: 100, onChanged: onListChanged } },
    },
  );
  // Also from servers that do not announce it.
  client.setNotificationHandler('notifications/tools/list_changed', onListChanged);
  client.onerror = (error) =>
    log.debug({}, masked(`a fault of the connection: ${error.message}`, server).slice(0, 300));
  return client;
}

/** The SDK's own schemas would refuse a whole answer for one part that is odd; reading it is our own. */
const AS_IT_IS = {
  '~standard': {
    version: 1 as const,
    vendor: 'code-execution-mcp',
    validate: (value: unknown) => ({ value }),
  },
};

/** A text for the log: what a server prints may hold the secrets that it was given. */
function masked(text: string, { secrets }: DownstreamServer): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}
