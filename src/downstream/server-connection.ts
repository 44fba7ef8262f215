import { ProtocolError } from '@modelcontextprotocol/client';
import { abortable } from '../core/abortable.js';
import type { DownstreamServer } from '../core/downstream-server.js';
import { CodeExecutionError } from '../core/errors.js';
import type { Logger } from '../core/logger.js';
import { sleep } from '../core/sleep.js';
import type { SourceProblem, ToolResult } from '../core/tool.js';
import { Backoff } from './backoff.js';
import type { OrphanGuard } from './child-process.js';
import type { DefinitionCache } from './definition-cache.js';
import type { CallOptions } from './downstream.js';
import { Link, LinkFailure } from './link.js';
import { listTools } from './list-tools.js';
import type { Memory, Offer } from './offer.js';
import type { StartSlots } from './start-slots.js';
import { Unreadable } from './stdio-transport.js';
import { ASK_LESS, unwrap } from './unwrap.js';

/** A connection that held this long was a good one: its end does not count towards the back-off. */
const STABLE_MS = 10_000;
/** A call waits this long for the back-off of a server that keeps failing; longer, and it is told so. */
const PATIENCE_MS = 2_000;
/** Changes of a list that come in quick succession cost one listing. */
const RELIST_MS = 500;
/** All pages of a list together. */
const LISTING_MS = 60_000;
const DEFAULT_RESULT_BYTES = 16 * 1024 * 1024;
/** Of the words with which a server refuses a call. */
const MAX_REFUSAL_CHARS = 4_000;
const GO_ON = 'go on without it, or tell the user that this server needs attention';

export interface ConnectionParts {
  readonly guard: OrphanGuard;
  readonly cache: DefinitionCache;
  readonly slots: StartSlots;
  readonly log: Logger;
  readonly version: string;
  /** For the handshake, and for each page of a list, in milliseconds. */
  readonly connectTimeoutMs: number;
  readonly onOffer: (server: DownstreamServer, offer: Offer) => void;
}

/** One configured server: connects when it is first needed, again after it died, and knows what it offers. */
export class ServerConnection {
  readonly server: DownstreamServer;
  readonly #parts: ConnectionParts;
  readonly #log: Logger;
  readonly #mask: (text: string) => string;
  readonly #backoff = new Backoff();
  readonly #endings = new Set<Promise<void>>();
  #link: Link | undefined;
  #opening: Promise<Link> | undefined;
  #listing: Promise<void> | undefined;
  /** The server has listed its tools since its last start. */
  #listed = false;
  #offer: { readonly value: Offer; readonly text: string } | undefined;
  #failure: string | undefined;
  /** The failure of an earlier process: nobody waits for a server that is likely to fail again. */
  #failedLastTime: string | undefined;
  #cutOff: string | undefined;
  #relist: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  readonly #shutDown = new AbortController();

  constructor(server: DownstreamServer, parts: ConnectionParts) {
    this.server = server;
    this.#parts = parts;
    this.#mask = (text) => server.secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
    this.#log = withServer(parts.log, server.name);
  }

  /** What the server offers, as far as it is known. */
  get offer(): Offer | undefined {
    return this.#offer?.value;
  }

  /** Takes what the disk remembers. A disk that fails costs speed only. */
  async readCache(): Promise<void> {
    const remembered = await this.#parts.cache
      .read(this.server)
      .catch((error: unknown) => this.#diskFailed(error));
    if (!remembered || this.#offer) return;
    if ('failure' in remembered) this.#failedLastTime = remembered.failure;
    else this.#learn(remembered);
  }

  /**
   * Lists the tools of the live server if that was not done yet. The promise is for who needs them: there is none when the
   * tools are known from the cache, or when the server has failed before (it is then tried again in the background).
   */
  ensureListed(): Promise<void> | undefined {
    if (this.#listed || this.#shutDown.signal.aborted) return undefined;
    const canWait = this.#offer === undefined && (this.#failure ?? this.#failedLastTime) === undefined;
    if (!this.#listing && this.#backoff.remainingMs > 0) return undefined;
    const listing = this.#list();
    return canWait ? listing : undefined;
  }

  /** What is wrong with the server, for who waited `waitedMs` for its tools. */
  problem(waitedMs: number): SourceProblem | undefined {
    const silent = this.#failedLastTime
      ? `failed last time (it ${this.#failedLastTime}) and is tried again now`
      : `has not answered within ${Math.round(waitedMs / 100) / 10} s`;
    const message = this.#failure ?? this.#cutOff ?? (this.#offer ? undefined : silent);
    if (message === undefined) return undefined;
    return {
      server: this.server.name,
      message,
      cached: this.#failure !== undefined && this.#offer !== undefined,
    };
  }

  /** @throws CodeExecutionError as {@link Downstream.call} says */
  async call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<ToolResult> {
    const until = performance.now() + (options.timeoutMs ?? this.server.timeoutMs);
    try {
      return await this.#callOnce(tool, args, options, until);
    } catch (error) {
      if (!Link.lostSession(error)) throw this.#callError(error, options);
    }
    try {
      return await this.#callOnce(tool, args, options, until);
    } catch (error) {
      throw this.#callError(error, options);
    }
  }

  /** Ends the connection and its process. Idempotent. */
  async close(): Promise<void> {
    const isWaiting = this.#listing !== undefined && !this.#offer && !this.#failure;
    if (isWaiting) this.#track(this.#remember({ failure: 'did not answer' }));
    this.#shutDown.abort();
    clearTimeout(this.#relist);
    await this.#opening?.catch(() => undefined);
    await this.#link?.close();
    await Promise.all(this.#endings);
  }

  async #callOnce(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions,
    until: number,
  ): Promise<ToolResult> {
    const link = await this.#reach(until, options.signal);
    try {
      const definition = this.offer?.tools.find(({ name }) => name === tool);
      const result = await link.callTool(tool, args, definition, {
        timeoutMs: Math.max(1, until - performance.now()),
        signal: options.signal,
        onProgress: options.onProgress,
      });
      this.#backoff.succeeded();
      return unwrap(result, options.maxResultBytes ?? DEFAULT_RESULT_BYTES, options.acceptLarge === true);
    } catch (error) {
      if (error instanceof CodeExecutionError) throw error;
      if (options.signal?.aborted) throw cancelled();
      if (error instanceof ProtocolError) return this.#refusal(error);
      if (Link.survives(error)) throw this.#unavailable(link.describe(error));
      this.#track(link.close());
      if (Link.lostSession(error)) throw error;
      throw this.#unavailable(link.describe(error));
    }
  }

  /** The server answered the call with an error of the protocol: its own words, like those of a tool that fails. */
  #refusal(error: ProtocolError): ToolResult {
    if (error.data instanceof Unreadable) {
      const { code, message } = error.data;
      throw new CodeExecutionError(
        code,
        `${message} (server "${this.server.name}")`,
        code === 'too_large' ? ASK_LESS : GO_ON,
      );
    }
    return { isError: true, content: [{ type: 'text', text: error.message.slice(0, MAX_REFUSAL_CHARS) }] };
  }

  #callError(error: unknown, { signal }: CallOptions): CodeExecutionError {
    if (error instanceof CodeExecutionError) return error;
    if (signal?.aborted) return cancelled();
    return this.#unavailable(error instanceof LinkFailure ? error.message : 'forgot the session');
  }

  #unavailable(problem: string): CodeExecutionError {
    return new CodeExecutionError('tool_unavailable', `the server "${this.server.name}" ${problem}`, GO_ON);
  }

  /** The open link, within the time and patience of a call. */
  async #reach(until: number, signal: AbortSignal | undefined): Promise<Link> {
    if (signal?.aborted) throw cancelled();
    if (this.#link?.alive) return this.#link;
    const wait = this.#backoff.remainingMs;
    if (wait > PATIENCE_MS) {
      const seconds = Math.ceil(wait / 1_000);
      throw this.#unavailable(
        `${this.#failure ?? 'died again and again'}; it is tried again in ${seconds} s`,
      );
    }
    if (wait > 0) await sleep(wait);
    const late = AbortSignal.timeout(Math.max(1, Math.ceil(until - performance.now())));
    const inTime = abortable(this.#open(), late, () => this.#unavailable('did not answer in time'));
    return abortable(inTime, signal, cancelled);
  }

  #open(): Promise<Link> {
    if (this.#link?.alive) return Promise.resolve(this.#link);
    this.#opening ??= this.#start().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #start(): Promise<Link> {
    const { server } = this;
    if (this.#shutDown.signal.aborted) throw new LinkFailure('is shut down');
    try {
      const link = await this.#parts.slots.run(() =>
        Link.open({
          server,
          guard: this.#parts.guard,
          log: this.#log,
          mask: this.#mask,
          version: this.#parts.version,
          timeoutMs: this.#parts.connectTimeoutMs,
          signal: this.#shutDown.signal,
          onListChanged: () => this.#listChanged(),
          track: (closing) => this.#track(closing),
        }),
      );
      this.#link = link;
      if (this.#shutDown.signal.aborted) throw new LinkFailure('is shut down');
      this.#failure = undefined;
      this.#log.info({ ms: Math.round(performance.now() - link.openedAt) }, 'connected');
      void link.ended.then(() => this.#linkEnded(link));
      // What a restarted server offers may have changed.
      if (this.#listed) this.#listChanged();
      return link;
    } catch (error) {
      this.#failed(error instanceof LinkFailure ? error.message : 'could not be reached');
      throw error;
    }
  }

  #linkEnded(link: Link): void {
    if (this.#shutDown.signal.aborted || this.#link !== link) return;
    this.#link = undefined;
    if (performance.now() - link.openedAt > STABLE_MS) this.#backoff.succeeded();
    this.#backoff.failed();
    this.#log.warn({}, `the connection is over: the server ${link.describe(undefined)}`);
  }

  #failed(message: string): void {
    if (this.#shutDown.signal.aborted) return;
    this.#backoff.failed();
    if (this.#failure !== message) this.#log.warn({}, `the server ${message}`);
    this.#failure = message;
    if (!this.#offer && this.server.launch.kind !== 'refused')
      this.#track(this.#remember({ failure: message }));
  }

  #list(): Promise<void> {
    this.#listing ??= this.#readList().finally(() => {
      this.#listing = undefined;
    });
    return this.#listing;
  }

  /** Never rejects: what went wrong is told by {@link ServerConnection.problem}. */
  async #readList(): Promise<void> {
    let link: Link;
    try {
      link = await this.#open();
    } catch {
      return; // already recorded
    }
    const until = performance.now() + LISTING_MS;
    try {
      const { tools, warnings, cutOff } = await listTools((cursor) => {
        const left = Math.max(1, until - performance.now());
        return link.listPage(cursor, Math.min(this.#parts.connectTimeoutMs, left));
      });
      for (const warning of warnings) this.#log.warn({}, warning);
      this.#listed = true;
      this.#failure = undefined;
      this.#cutOff = cutOff;
      const { description } = link;
      this.#learn({ tools, ...(description === undefined ? {} : { description }) }, true);
    } catch (error) {
      this.#failed(`could not list its tools: it ${link.describe(error)}`);
    }
  }

  #learn(value: Offer, isLive = false): void {
    const text = JSON.stringify(value);
    if (this.#shutDown.signal.aborted || text === this.#offer?.text) return;
    this.#offer = { value, text };
    this.#parts.onOffer(this.server, value);
    if (isLive) this.#track(this.#remember(value));
  }

  /** One after the other, so that the file ends up with the newest. */
  #remember(memory: Memory): Promise<void> {
    this.#writing = this.#writing
      .then(() => this.#parts.cache.write(this.server, memory))
      .catch((error: unknown) => this.#diskFailed(error));
    return this.#writing;
  }

  #listChanged(): void {
    if (this.#shutDown.signal.aborted || this.#relist) return;
    this.#relist = setTimeout(() => {
      this.#relist = undefined;
      // One that is under way may have passed the change already.
      void (this.#listing ?? Promise.resolve()).then(() =>
        this.#shutDown.signal.aborted ? undefined : this.#list(),
      );
    }, RELIST_MS);
    this.#relist.unref();
  }

  #track(ending: Promise<void>): void {
    const tracked = ending.finally(() => this.#endings.delete(tracked));
    this.#endings.add(tracked);
  }

  #diskFailed(error: unknown): undefined {
    const message = error instanceof Error ? error.message : String(error);
    this.#log.warn({}, `the cache of definitions cannot be used: ${message}`);
  }
}

function cancelled(): CodeExecutionError {
  return new CodeExecutionError('cancelled', 'the call was cancelled');
}

function withServer(log: Logger, server: string): Logger {
  return {
    debug: (fields, message) => log.debug({ server, ...fields }, message),
    info: (fields, message) => log.info({ server, ...fields }, message),
    warn: (fields, message) => log.warn({ server, ...fields }, message),
    error: (fields, message) => log.error({ server, ...fields }, message),
  };
}
