import { abortable } from '../core/abortable.js';
import type { DownstreamServer } from '../core/downstream-server.js';
import { CodeExecutionError } from '../core/errors.js';
import type { Logger } from '../core/logger.js';
import { sleep } from '../core/sleep.js';
import { Backoff } from './backoff.js';
import type { OrphanGuard } from './child-process.js';
import { Link, LinkFailure } from './link.js';
import type { StartSlots } from './start-slots.js';

/** A connection that held this long was a good one: its end does not count towards the back-off. */
const STABLE_MS = 10_000;
/** A call waits this long for the back-off of a server that keeps failing; longer, and it is told so. */
const PATIENCE_MS = 2_000;
/** The next step when a server is of no use. */
export const GO_ON = 'go on without it, or tell the user that this server needs attention';

export interface ServerLinkParts {
  readonly guard: OrphanGuard;
  readonly slots: StartSlots;
  /** Of this server. */
  readonly log: Logger;
  readonly version: string;
  /** For the handshake, in milliseconds. */
  readonly connectTimeoutMs: number;
}

export interface ServerLinkEvents {
  opened(): void;
  /** With the end of a sentence that begins with the server, for a model. */
  failed(message: string): void;
  listChanged(): void;
}

/** The connection to one server: opened when it is first needed, again after it died, and not too often. */
export class ServerLink {
  readonly #server: DownstreamServer;
  readonly #parts: ServerLinkParts;
  readonly #events: ServerLinkEvents;
  readonly #backoff = new Backoff();
  readonly #shutDown = new AbortController();
  /** Processes that are still ending. */
  readonly #endings = new Set<Promise<void>>();
  #link: Link | undefined;
  #opening: Promise<Link> | undefined;
  /** Why the last attempt came to nothing. */
  failure: string | undefined;

  constructor(server: DownstreamServer, parts: ServerLinkParts, events: ServerLinkEvents) {
    this.#server = server;
    this.#parts = parts;
    this.#events = events;
  }

  get isShutDown(): boolean {
    return this.#shutDown.signal.aborted;
  }

  /** True while a server that failed is left alone. */
  get mustWait(): boolean {
    return this.#backoff.remainingMs > 0;
  }

  /** @throws LinkFailure */
  open(): Promise<Link> {
    if (this.#link?.alive) return Promise.resolve(this.#link);
    this.#opening ??= this.#start().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** The open link for a call, within its time (of `performance.now`). @throws CodeExecutionError */
  async reach(until: number, signal: AbortSignal | undefined): Promise<Link> {
    if (signal?.aborted) throw cancelled();
    if (this.#link?.alive) return this.#link;
    const wait = this.#backoff.remainingMs;
    if (wait > PATIENCE_MS) {
      const seconds = Math.ceil(wait / 1_000);
      throw this.unavailable(`${this.failure ?? 'died again and again'}; it is tried again in ${seconds} s`);
    }
    if (wait > 0) await sleep(wait);
    const late = AbortSignal.timeout(Math.max(1, Math.ceil(until - performance.now())));
    const inTime = abortable(this.open(), late, () => this.unavailable('did not answer in time'));
    try {
      return await abortable(inTime, signal, cancelled);
    } catch (error) {
      throw error instanceof LinkFailure ? this.unavailable(error.message) : error;
    }
  }

  unavailable(problem: string): CodeExecutionError {
    return new CodeExecutionError('tool_unavailable', `the server "${this.#server.name}" ${problem}`, GO_ON);
  }

  /** The server did what it was asked to. */
  succeeded(): void {
    this.#backoff.succeeded();
    this.failure = undefined;
  }

  failed(message: string): void {
    if (this.isShutDown) return;
    this.#backoff.failed();
    if (this.failure !== message) this.#parts.log.warn({}, `the server ${message}`);
    this.failure = message;
    this.#events.failed(message);
  }

  /** Gives up a link that is of no use any more; the next call opens another. */
  drop(link: Link): void {
    this.#track(link.close());
  }

  /** Ends the connection, its process, and what is still ending. Idempotent; some 2.5 s at most. */
  async close(): Promise<void> {
    this.#shutDown.abort();
    await this.#opening?.catch(() => undefined);
    await this.#link?.close();
    await Promise.all(this.#endings);
  }

  async #start(): Promise<Link> {
    const { guard, slots, log, version, connectTimeoutMs } = this.#parts;
    const begin = performance.now();
    try {
      const link = await slots.run(() =>
        Link.open({
          server: this.#server,
          guard,
          log,
          version,
          timeoutMs: connectTimeoutMs,
          signal: this.#shutDown.signal,
          onListChanged: () => this.#events.listChanged(),
          track: (closing) => this.#track(closing),
        }),
      );
      this.#link = link;
      if (this.isShutDown) throw new LinkFailure('is shut down');
      this.failure = undefined;
      log.info({ ms: Math.round(performance.now() - begin) }, 'connected');
      void link.ended.then(() => this.#ended(link));
      this.#events.opened();
      return link;
    } catch (error) {
      this.failed(error instanceof LinkFailure ? error.message : 'could not be reached');
      throw error;
    }
  }

  #ended(link: Link): void {
    if (this.isShutDown || this.#link !== link) return;
    this.#link = undefined;
    if (performance.now() - link.openedAt > STABLE_MS) this.#backoff.succeeded();
    this.#backoff.failed();
    this.#parts.log.warn({}, `the connection is over: the server ${link.describe(undefined)}`);
  }

  #track(ending: Promise<void>): void {
    const tracked = ending.finally(() => this.#endings.delete(tracked));
    this.#endings.add(tracked);
  }
}

export function cancelled(): CodeExecutionError {
  return new CodeExecutionError('cancelled', 'the call was cancelled');
}
