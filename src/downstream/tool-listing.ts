import type { DownstreamServer } from '../core/downstream-server.js';
import type { Logger } from '../core/logger.js';
import type { SourceProblem } from '../core/tool.js';
import type { DefinitionCache } from './definition-cache.js';
import type { Link } from './link.js';
import { listTools } from './list-tools.js';
import type { Memory, Offer } from './offer.js';
import type { ServerLink } from './server-link.js';

/** Changes of a list that come in quick succession cost one listing. */
const RELIST_MS = 500;
/** All pages of a list together. */
const LISTING_MS = 60_000;

export interface ToolListingParts {
  readonly cache: DefinitionCache;
  /** Of this server. */
  readonly log: Logger;
  /** For each page, in milliseconds. */
  readonly pageTimeoutMs: number;
  readonly onOffer: (server: DownstreamServer, offer: Offer) => void;
}

/** What one server offers: from the disk first, then from itself, and kept up to date. */
export class ToolListing {
  readonly #server: DownstreamServer;
  readonly #link: ServerLink;
  readonly #parts: ToolListingParts;
  #offer: { readonly value: Offer; readonly text: string } | undefined;
  /** The server itself has listed its tools. */
  #isLive = false;
  /** The failure of an earlier process: nobody waits for a server that is likely to fail again. */
  #failedLastTime: string | undefined;
  #cutOff: string | undefined;
  #listing: Promise<void> | undefined;
  #relist: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(server: DownstreamServer, link: ServerLink, parts: ToolListingParts) {
    this.#server = server;
    this.#link = link;
    this.#parts = parts;
  }

  /** As far as it is known. */
  get offer(): Offer | undefined {
    return this.#offer?.value;
  }

  /** Takes what the disk remembers. A disk that fails costs speed only. */
  async readCache(): Promise<void> {
    const remembered = await this.#parts.cache
      .read(this.#server)
      .catch((error: unknown) => this.#diskFailed(error));
    if (!remembered || this.#offer) return;
    if ('failure' in remembered) this.#failedLastTime = remembered.failure;
    else this.#learn(remembered);
  }

  /**
   * Lists the tools of the live server if that was not done yet. The promise is for who needs them: there is none when the
   * tools are known from the disk, or when the server has failed before (it is then tried again in the background), unless
   * `live` asks for what the server says now.
   */
  ensure(live = false): Promise<void> | undefined {
    if (this.#isLive || this.#link.isShutDown) return undefined;
    if (!this.#listing && this.#link.mustWait) return undefined;
    const isHopeful = !this.#offer && !this.#link.failure && !this.#failedLastTime;
    const listing = this.#list();
    return live || isHopeful ? listing : undefined;
  }

  /** What is wrong, for who waited `waitedMs` for the tools. */
  problem(waitedMs: number): SourceProblem | undefined {
    const { failure } = this.#link;
    const message = failure ?? this.#cutOff ?? (this.#offer ? undefined : this.#silence(waitedMs));
    if (message === undefined) return undefined;
    return {
      server: this.#server.name,
      message,
      cached: failure !== undefined && this.#offer !== undefined,
    };
  }

  /** The server was started again: what it offers may have changed. */
  opened(): void {
    if (this.#isLive) this.changed();
  }

  changed(): void {
    if (this.#link.isShutDown || this.#relist) return;
    this.#relist = setTimeout(() => {
      this.#relist = undefined;
      // One that is under way may have passed the change already.
      void (this.#listing ?? Promise.resolve()).then(() =>
        this.#link.isShutDown ? undefined : this.#list(),
      );
    }, RELIST_MS);
    this.#relist.unref();
  }

  failed(message: string): void {
    // What fails because we end is not remembered against the server.
    if (this.#isClosed) return;
    if (!this.#offer && this.#server.launch.kind !== 'refused') this.#remember({ failure: message });
  }

  /** Resolves when the disk has everything. To be called before the link is closed. */
  async close(): Promise<void> {
    clearTimeout(this.#relist);
    const isWaiting = this.#listing !== undefined && !this.#offer && !this.#link.failure;
    if (isWaiting) this.#remember({ failure: 'did not answer' });
    this.#isClosed = true;
    await this.#writing;
  }

  #silence(waitedMs: number): string {
    return this.#failedLastTime
      ? `failed last time (it ${this.#failedLastTime}) and is tried again now`
      : `has not answered within ${Math.round(waitedMs / 100) / 10} s`;
  }

  #list(): Promise<void> {
    this.#listing ??= this.#read().finally(() => {
      this.#listing = undefined;
    });
    return this.#listing;
  }

  /** Never rejects: what went wrong is told by {@link ToolListing.problem}. */
  async #read(): Promise<void> {
    let link: Link;
    try {
      link = await this.#link.open();
    } catch {
      return; // the link has recorded it
    }
    const until = performance.now() + LISTING_MS;
    try {
      const { tools, warnings, cutOff } = await listTools((cursor) => {
        const left = Math.max(1, until - performance.now());
        return link.listPage(cursor, Math.min(this.#parts.pageTimeoutMs, left));
      });
      for (const warning of warnings) this.#parts.log.warn({}, warning);
      this.#isLive = true;
      this.#link.failure = undefined;
      this.#cutOff = cutOff;
      const { description } = link;
      const offer = { tools, ...(description === undefined ? {} : { description }) };
      if (this.#learn(offer)) this.#remember(offer);
    } catch (error) {
      this.#link.failed(`could not list its tools: it ${link.describe(error)}`);
    }
  }

  /** False when nothing is new. */
  #learn(value: Offer): boolean {
    const text = JSON.stringify(value);
    if (this.#link.isShutDown || text === this.#offer?.text) return false;
    this.#offer = { value, text };
    this.#parts.onOffer(this.#server, value);
    return true;
  }

  /** One after the other, so that the file ends up with the newest. */
  #remember(memory: Memory): void {
    this.#writing = this.#writing
      .then(() => this.#parts.cache.write(this.#server, memory))
      .catch((error: unknown) => this.#diskFailed(error));
  }

  #diskFailed(error: unknown): undefined {
    const message = error instanceof Error ? error.message : String(error);
    this.#parts.log.warn({}, `the cache of definitions cannot be used: ${message}`);
  }
}
